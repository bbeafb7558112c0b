// Members of a record that a description adds to the common ones, under names of its own:
//
//     "members": {"id": "id", "name": "title", "maker": ["$.artist.name", "studio"], "sizes": "$.dimensions"}

import PipelineCore

extension Source {
    struct OwnMember: Sendable {
        let name: String
        /// The first one that finds more than an empty value wins.
        let locations: [MemberLocation]
        /// No record need have it.
        let isOptional: Bool

        /// The state of a run keeps a bit for each.
        private static let limit = 32

        static func all(in members: DescriptionReader?, _ steps: [Step]) -> [Self] {
            guard let members else { return [] }
            let others = members.members.filter { CommonName(rawValue: $0.name) == nil }
            if others.count > limit {
                members.findings.add(
                    members.location, "takes \(limit) members besides the common ones, not \(others.count)")
            }
            return others.map { name, value in
                if let mistake = mistake(inName: name) { value.findings.add(value.location, mistake) }
                return Self(
                    name: name, locations: value.elements.compactMap { MemberLocation(of: $0, steps) },
                    isOptional: value.elements.contains { $0.isTrue("optional") })
            }
        }

        private static func mistake(inName name: String) -> String? {
            if name == "source" { return "is already the name of the source, in every record" }
            // Two members of a record could get the same name.
            if name.hasPrefix("_") { return "begins with _, as names of the API's own do that give way" }
            let meant = CommonName.allCases.map(\.rawValue).first { isMisspelt(name, for: $0) }
            return meant.map { "is not known; did you mean \($0)?" }
        }

        /// Whether a name is a common one in another case, with two letters swapped, or without one of them. `names`, `game`
        /// and `imageURLs` are names of their own.
        private static func isMisspelt(_ name: String, for common: String) -> Bool {
            let (name, common) = (letters(name), letters(common))
            guard EditDistance.between(String(name), String(common)) <= 1 else { return false }
            return name.sorted() == common.sorted() || common.count > 4 && name.count < common.count
        }

        private static func letters(_ name: String) -> [Character] {
            name.lowercased().filter { !"_-".contains($0) }
        }
    }
}
