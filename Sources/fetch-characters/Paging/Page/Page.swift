// Decides what one response of a list, or of one record, is: where its records are, what stands beside them, and what it says
// of its list.
//
//     {"info":{"count":2,"totalPages":149,…},"data":[{…},{…}]}
//      ^ beside ──────────────────────────^         ^^^ ^^^ records
//
// It is the same for a response of a service and for one of --input.

import PipelineCore
import PipelineHTTP

struct Page: Sendable {
    /// The records' places, in `text`.
    let outline: RecordOutline
    /// The text that these are in. Nil for the body.
    var text: [UInt8]?
    /// The elements that the service counts for the page, those among them that are no records too.
    let listed: Int
    /// Of these, the ones that are null.
    var nulls = 0
    /// A list within the lone object that is the page's only record. Nil for other pages.
    var wrapping: Wrapping?
    var beside = PageBeside()
    var headers = HTTPHeaders()
    var lead = PageLead()

    var records: RecordOutline.Records { outline.records }

    /// An object in place of an array may be a record, or what wraps the list where the path stops short of it.
    struct Wrapping: Equatable, Sendable {
        /// To the array of objects in it, and how many it has.
        let path: String
        let count: Int
        /// It has the described id, as far as one is described.
        let mayBeRecord: Bool
    }

    enum Fault: Error, Equatable, Sendable {
        /// The text ends early: part of the transfer is missing, and a retry may help.
        case cutShort
        /// Nothing that could be read as JSON, as a page for people is. The text says what it is. A retry may help.
        case foreign(String)
        /// Not what the description promises. The text says what it is instead.
        case broken(String)
        /// A refusal with a successful status, and what the service says about it.
        case refused(String)
        /// The service has no time for the request now, and a retry may help.
        case busy
    }
}

extension Page.Wrapping {
    /// - Parameter object: checked.
    /// - Returns: nil if it has no array of objects.
    init?(_ object: Span<UInt8>, at path: JSONPath, mayBeRecord: Bool) {
        guard object.count <= RecordStream.limitBytes, let tree = try? JSONTree.read(object) else { return nil }
        let arrays = Self.arrays(in: tree, [], levels: BesideShape.mostLevels)
        guard let largest = arrays.max(by: { $0.count < $1.count }) else { return nil }
        let names = (path.names ?? []).map { $0.span.text } + largest.names
        self.path = JSONLocation.path(of: names.map { .name($0) }, style: .rooted)
        (count, self.mayBeRecord) = (largest.count, mayBeRecord)
    }

    private static func arrays(in tree: JSONTree, _ names: [String], levels: Int) -> [(names: [String], count: Int)]
    {
        switch tree {
        case .array(let elements):
            guard case .object? = elements.first else { return [] }
            return [(names, elements.count)]
        case .object(let members) where levels > 0:
            return members.flatMap { arrays(in: $0.value, names + [$0.name], levels: levels - 1) }
        case .object, .string, .integer, .number, .boolean, .null: return []
        }
    }
}

typealias SourcePage = Page

extension Page.Fault {
    static func nothing(_ words: String, _ path: JSONPath) -> Page.Fault { .broken("\(words) '\(path.text)'") }

    /// The same, with what is there in their place.
    static func missing(_ path: JSONPath, in body: Span<UInt8>) -> Page.Fault {
        let names = JSONDocument.memberNames(of: body)
        guard let last = names.last else { return nothing("a response without", path) }
        let others = names.dropLast().joined(separator: ", ")
        let words = body.count <= PageBeside.limitBytes ? (try? JSONTree.read(body))?.message : nil
        let text = words.flatMap { $0.contains(where: \.isLetter) ? " that says '\($0.prefix(200))'," : nil }
        return nothing(
            "a response\(text ?? "") with \(others.isEmpty ? "" : "\(others) and ")\(last), but no", path)
    }

    static func longLine(_ number: Int) -> Page.Fault {
        .broken("line \(number): more than \(RecordStream.limitBytes >> 20) MiB in one line")
    }
}
