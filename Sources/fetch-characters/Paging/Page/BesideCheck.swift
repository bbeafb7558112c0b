// Decides whether a list of one response has grown, by what stands beside its records now and stood there when it was learnt.

import PipelineCore

extension BesideShape {
    /// What a run says of a difference, and what to do then.
    static let cure = "learn it again, or change beside"

    /// - Parameter listed: the number of records in the response.
    /// - Returns: nil unless something has a value now that had none, or is something else than it was.
    func difference(from beside: PageBeside, listed: Int) -> String? {
        for (names, value) in beside.members {
            let kind = Kind(of: value)
            guard kind != .nothing, !isWithinObject(names) else { continue }
            if let member = members.first(where: { $0.names == names }) {
                if let finding = finding(member, value, kind, listed) { return finding }
            } else if members.count < Self.mostMembers, kind != .flag(false) {
                return Self.hasNow(Member(names: names, kind: kind).path)
            }
        }
        return nil
    }

    /// Whether the member is in one that was only noted as an object.
    private func isWithinObject(_ names: [String]) -> Bool {
        members.contains { $0.kind == .object && names.starts(with: $0.names) && names.count > $0.names.count }
    }

    private func finding(_ member: Member, _ value: JSONTree, _ kind: Kind, _ listed: Int) -> String? {
        switch (member.kind, kind) {
        case (.nothing, .flag(false)): return nil
        case (.nothing, _): return Self.hasNow(member.path)
        case (.records, _):
            guard let count = value.wholeNumber else { return Self.isNow(member.path, kind, "a number") }
            if count == listed { return nil }
            return
                "the response has \(RecordStream.count(listed)), and \(member.path), which counted them when the list "
                + "was learnt, is \(count) now"
        case (let old, let new): return old == new ? nil : Self.isNow(member.path, new, old.noun)
        }
    }

    private static func hasNow(_ path: String) -> String {
        "the response has \(path) now, which had no value when the list was learnt"
    }

    private static func isNow(_ path: String, _ kind: Kind, _ old: String) -> String {
        "\(path) is \(kind.noun) now, which was \(old) when the list was learnt"
    }
}

extension BesideShape.Kind {
    fileprivate var noun: String {
        switch self {
        case .records, .number: "a number"
        case .text: "a text"
        case .flag(let isTrue): "\(isTrue)"
        case .nothing: "nothing"
        case .object: "an object"
        case .array: "an array"
        }
    }
}
