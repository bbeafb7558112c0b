// Compares the records of a run, once all have come, with what its description and its options promise.

import PipelineCore

struct RecordCheck {
    let settings: FetchSettings
    let source: Source
    let diagnostics: Diagnostics

    /// - Throws: status 76 if none has an id or a name that is described.
    func checkMembers(_ presence: MemberPresence) throws(ToolFailure) {
        for member in presence.missing(of: source) {
            let finding = finding(member.absence, presence)
            if member.isEssential { throw ToolFailure(.protocolError, finding) }
            diagnostics.warning(finding)
        }
        for member in presence.missingOwn(of: source) { diagnostics.warning(finding(member.absence, presence)) }
    }

    private func finding(_ absence: String, _ presence: MemberPresence) -> Message {
        "\(absence) of \(presence.records) records; the API may have changed: fetch-characters --source \(settings.source) --plan shows "
            + "what is expected, and --learn URL what there is"
    }

    /// The records after which a member that none has is missing in all.
    private static let earlyRecords = 50

    /// - Throws: status 76 if so many records came, and none has an id or a name that is described.
    func checkMembersEarly(_ presence: MemberPresence) throws(ToolFailure) {
        guard presence.records >= Self.earlyRecords else { return }
        guard presence.missing(of: source).contains(where: \.isEssential) else { return }
        try checkMembers(presence)
    }

    func tell(nulls: Int) {
        guard nulls > 0 else { return }
        let count = nulls == 1 ? "1 null among the records is" : "\(nulls) nulls among the records are"
        diagnostics.warning("\(count) left out")
    }

    /// What a run says of a list that its description only assumes to be whole. Nil for others, and for a part of one.
    static func doubt(of source: Source, _ settings: FetchSettings, records: Int, isAtLimit: Bool) -> Message? {
        guard source.pagination.isAssumed, settings.ids.isEmpty, !isAtLimit else { return nil }
        let subject = records == 1 ? "this record is" : "these \(records) records are"
        return Message(
            "nothing shows that \(subject) all",
            cure:
                "if they are, take \"assumed\" out of the description, else write its pagination: man castline-source"
        )
    }

    /// - Throws: status 76 if there are fewer records than asked for.
    func checkCount(_ count: Int) throws(ToolFailure) {
        if count < settings.leastRecords {
            throw ToolFailure(
                .protocolError,
                "got \(count) of at least \(settings.leastRecords) records; check \(origin) and --min-records")
        }
    }

    private var origin: String { settings.inputPath == nil ? "the service" : "the input" }
}

/// The record requested with --id. A service that ignores the id sends any record, so its id must match, or its name.
///
///     5          5, 5.0
///     W27        w27, https://api.example.org/works/W27, urn:works:W27
///     pikachu    {"id":25,"name":"pikachu"}
struct RequestedRecord {
    /// Enough of an id for a message.
    private static let shownBytes = 200

    private let id: [UInt8]
    private(set) var hasCome = false
    private var otherCount = 0
    private var firstOther: [UInt8] = []

    init(_ id: String) { self.id = Self.folded(Array(id.utf8)) }

    /// - Returns: whether a record with this id and this name, either of which may be empty, is the requested one.
    mutating func accept(id other: [UInt8], name: [UInt8]) -> Bool {
        let text = Array(other[RecordMapper.trimmed(other)])
        let isAsked = isEqual(to: Self.folded(text)) || Self.folded(name) == id
        hasCome = hasCome || isAsked
        if !isAsked {
            if otherCount == 0 { firstOther = other }
            otherCount += 1
        }
        return isAsked
    }

    var others: String {
        let first = firstOther.span.extracting(first: Self.shownBytes).text
        if otherCount == 1 { return firstOther.isEmpty ? "a record without an id" : "the record \(first)" }
        return "\(otherCount) other records" + (firstOther.isEmpty ? "" : ", the first of them \(first)")
    }

    private func isEqual(to other: [UInt8]) -> Bool {
        if other == id { return true }
        let (short, long) = other.count < id.count ? (other, id) : (id, other)
        guard !short.isEmpty, long.count > short.count else { return false }
        let mark = long[long.count - short.count - 1]
        // The end of a URL or a URN.
        if long.suffix(short.count).elementsEqual(short), "/:=#".utf8.contains(mark) { return true }
        // A whole number with a fraction of zeros, as some languages write it.
        let fraction = other.dropFirst(id.count)
        return id.allSatisfy { (0x30...0x39).contains($0) } && other.starts(with: id) && fraction.count > 1
            && fraction.first == UInt8(ascii: ".") && fraction.dropFirst().allSatisfy { $0 == UInt8(ascii: "0") }
    }

    /// ASCII in lower case, without a slash at the end, as services ignore these differences.
    private static func folded(_ text: [UInt8]) -> [UInt8] {
        var folded = text.map(\.lowercased)
        if folded.count > 1, folded.last == UInt8(ascii: "/") { folded.removeLast() }
        return folded
    }
}
