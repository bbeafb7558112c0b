// The records that are served: the bytes of each as its file has them, and what an API can look for in them.

import Foundation
import PipelineCore

struct StoredRecord: Sendable {
    /// As it stands in the file, but for the marks of the server's address.
    let bytes: [UInt8]

    private var tree: JSONTree? { try? JSONTree.read(bytes.span) }

    /// The text of a member, or its number as text.
    func text(_ name: String) -> String? { tree?[name]?.text }

    /// The text of a member, or the texts of its array.
    func texts(_ name: String) -> [String] {
        switch tree?[name] {
        case .string(let text)?: [text]
        case .array(let elements)?: elements.compactMap(\.string)
        default: []
        }
    }

    /// The records of a file: an array, or an object whose `data` is one.
    /// - Throws: status 66 for a file that can't be read, and 65 for one with no array of records.
    static func all(in path: String, base: String) throws(ToolFailure) -> [StoredRecord] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ToolFailure(.noInput, "can't read records \(path)")
        }
        let bytes = BaseMark.replaced([UInt8](data), by: base)
        var outline = RecordOutline()
        guard outline.read(bytes.span, at: []) || outline.read(bytes.span, at: [Array("data".utf8)]) else {
            throw ToolFailure(.badData, "\(path) has no array of records, nor one in data")
        }
        return outline.records.map { StoredRecord(bytes: Array(bytes[$0.range])) }
    }
}

/// A list of records in the file's order.
struct Catalogue: Sendable {
    let records: [StoredRecord]

    init(path: String?, base: String) throws(ToolFailure) {
        records = if let path { try StoredRecord.all(in: path, base: base) } else { [] }
    }

    func record(id: String) -> StoredRecord? { records.first { $0.text("_id") == id } }

    /// The records in which each pattern is found in a string of its field. A field that a record hasn't got, or that
    /// holds no text, matches nothing.
    func records(matching filters: [(field: String, pattern: NSRegularExpression)]) -> [StoredRecord] {
        records.filter { record in
            filters.allSatisfy { field, pattern in record.texts(field).contains { Self.matches($0, pattern) } }
        }
    }

    private static func matches(_ text: String, _ pattern: NSRegularExpression) -> Bool {
        pattern.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}

/// Two marks in what is served stand for the server's own address, so that records can name its pictures: `@BASE@` for
/// its own, and `@ELSEWHERE@` for the same under the name `localhost`, which is another origin for everybody who compares
/// names, as the host of an API's pictures is.
enum BaseMark {
    /// The bytes with each mark replaced.
    /// - Parameter base: `http://127.0.0.1:PORT`.
    static func replaced(_ bytes: [UInt8], by base: String) -> [UInt8] {
        let elsewhere = "http://localhost:" + (base.split(separator: ":").last ?? "")
        let marks = [(mark: "@BASE@", text: base), (mark: "@ELSEWHERE@", text: elsewhere)]
        var replaced: [UInt8] = []
        var rest = bytes[...]
        // The library's search for a sequence takes seconds for a large picture.
        while let start = rest.firstIndex(of: UInt8(ascii: "@")) {
            replaced += rest[..<start]
            rest = rest[start...]
            let found = marks.first { rest.starts(with: $0.mark.utf8) } ?? (mark: "@", text: "@")
            replaced += found.text.utf8
            rest = rest.dropFirst(found.mark.utf8.count)
        }
        return replaced + rest
    }
}
