// Where a description says the records are, and which answers have none:
//
//     "records": "$.data"          "records": {"path": "$.cards", "key": "id"}          "format": "lines"
//     "errors": "$.errors"         "busy": "$.throttled"                                "absent": [404]

import PipelineCore
import PipelineHTTP

extension Source.Records {
    init?(in source: DescriptionReader) {
        let format: Format = source.word("format") ?? .json
        let path: JSONPath?
        var key: String?
        switch source.value("records") {
        case nil where format == .lines: path = DescriptionReader.path("$", at: "$.records", source.mistakes)
        case .object:
            let object = source.object("records", as: .namedRecords)
            path = object?.path("path", isRequired: true)
            key = object?.text("key", isRequired: true)
        case nil, .string: path = source.path("records", isRequired: true)
        case let value?:
            source.mistake("records", "takes a path, or an object with path and key, not \(value.kind)")
            path = nil
        }
        guard let path else { return nil }
        if format == .lines, !path.isWhole || key != nil {
            source.mistake("records", "takes $ where the format is lines: each line is a record")
        }
        self.path = path
        self.key = key
        self.format = format
    }

    /// An answer of lines has no place for anything but records.
    func check(_ pagination: Pagination, _ mistakes: DescriptionErrors) {
        guard format == .lines else { return }
        if pagination.nextLocations.contains(where: { $0.path != nil }) {
            mistakes.add("$.pagination.next", "has no place in an answer of lines; a header has")
        }
        if pagination.more != nil { mistakes.add("$.pagination.more", "has no place in an answer of lines") }
        guard let count = pagination.count, case .path = count.location else { return }
        mistakes.add(
            "$.pagination.\(count.unit == .pages ? "pages" : "total")",
            "has no place in an answer of lines; a header has")
    }
}

extension Source.Merge {
    init?(in source: DescriptionReader) {
        guard let object = source.object("merge", as: .merge) else { return nil }
        complete = object.path("complete")
    }
}

extension Source {
    func checkMerge(_ mistakes: DescriptionErrors) {
        let id = members.first { $0.name == .id }
        if id?.locations.contains(where: { $0.step == nil }) != true {
            mistakes.add("$.merge", "needs $.members.id in the record itself, which says what is part of what")
        }
        if records.format == .lines { mistakes.add("$.merge", "has no place where the format is lines") }
        let paginations = [("$.pagination", pagination), ("$.search.pagination", search?.pagination)]
        for (location, pagination) in paginations where pagination?.count?.unit == .records {
            mistakes.add("\(location).total", "has no place beside merge, as each record is on several pages")
        }
    }

    /// Whether the service says so that there is nothing.
    func isAbsent(_ failure: HTTPFailure) -> Bool {
        guard case .status(let status) = failure.reason else { return false }
        return absent.contains(status)
    }

    /// Refusals that a service may mean an empty result by.
    static let absentStatuses = 400...499

    static func absent(in source: DescriptionReader) -> [Int] {
        guard let value = source.value("absent") else { return [] }
        guard case .array(let elements) = value else {
            source.mistake("absent", "takes an array of statuses, not \(value.kind)")
            return []
        }
        if elements.isEmpty { source.mistake("absent", "takes at least one status") }
        return elements.enumerated().compactMap { index, element in
            guard case .integer(let status) = element, absentStatuses.contains(status) else {
                source.mistakes.add(
                    source.location(of: "absent") + "[\(index)]",
                    "takes a status from \(absentStatuses.lowerBound) to \(absentStatuses.upperBound)")
                return nil
            }
            return status
        }
    }
}
