// Whether the records that came have the members that the description promises: an API that renames `name` still answers
// with all its records, and nothing else shows it.

/// The common members found in the records of a run.
struct MemberPresence: Equatable, Sendable {
    /// Fewer records may all lack a member by chance.
    private static let leastRecords = 50

    /// The records looked at.
    private(set) var records = 0
    /// A bit for each member that at least one of them had, in the order of `CommonName`.
    private var found: UInt8 = 0

    init() {}

    /// What an earlier part of the run has seen.
    /// - Returns: nil for bits of other members.
    init?(found: Int, records: Int) {
        guard (0..<1 << Source.CommonName.allCases.count).contains(found) else { return nil }
        self.found = UInt8(found)
        self.records = records
    }

    /// The members found, as a number for another run.
    var bits: Int { Int(found) }

    mutating func beginRecord() { records &+= 1 }

    mutating func insert(_ bit: UInt8) { found |= bit }

    /// A member's bit.
    static func bit(of name: Source.CommonName) -> UInt8 {
        1 << UInt8(Source.CommonName.allCases.firstIndex(of: name) ?? 0)
    }

    // MARK: What is missing

    /// A member that no record had.
    struct Finding: Equatable, Sendable {
        let member: Source.CommonName
        /// `name: $.name is in none of 7438 records`
        let text: String
        /// Without it the records are of no use.
        var isFatal: Bool { member == .id || member == .name }
    }

    /// The described members that none of the records had, those that may be missing left out.
    func missing(of source: Source) -> [Finding] {
        source.members.compactMap { member in
            let finding = Finding(member: member.name, text: "\(member.account) of \(records) records")
            guard records >= (finding.isFatal ? 1 : Self.leastRecords), !member.isOptional else { return nil }
            return found & Self.bit(of: member.name) == 0 ? finding : nil
        }
    }
}

extension Source.CommonMember {
    fileprivate var account: String {
        let first = locations.first?.place.text ?? ""
        let path = first.hasPrefix("$") || first.contains(ComposedText.mark) ? first : "$." + first
        let others = locations.count - 1
        if others < 1 { return "\(name.rawValue): \(path) is in none" }
        return "\(name.rawValue): \(path) and \(others) other \(others == 1 ? "path" : "paths") are in none"
    }
}
