// The message of `--same-shape`.
//
//     imageURL was in 7290 of 7438 records and is in none; image_url is new in 7290; …

import PipelineCore

extension ToolFailure {
    /// The most members that are named.
    private static let namedMembers = 3

    /// Records that came lost a member. Nil if they didn't.
    static func lostMembers(_ shape: ShapeCheck, _ settings: StoreSettings) -> ToolFailure? {
        let (lost, gained) = (shape.lost, shape.gained)
        guard !lost.isEmpty else { return nil }
        var parts = lost.prefix(namedMembers).map { member in
            "\(member.name) was in \(member.old) of \(shape.oldRecords) records and is in "
                + (member.new == 0 ? "none" : "\(member.new) of \(shape.newRecords)")
        }
        if lost.count > namedMembers { parts.append("\(lost.count - namedMembers) more are gone too") }
        parts += gained.prefix(namedMembers).map { "\($0.name) is new in \($0.new)" }
        return ToolFailure(
            .badData,
            parts.joined(separator: "; ") + "; \(settings.aftermath), --same-shape=off stores them")
    }
}
