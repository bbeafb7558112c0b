// The records that are served: the bytes of each as the file has them, and what the API can look for in them.

import Foundation
import PipelineCore
import Synchronization

/// A list of records in the file's order.
final class Catalogue: Sendable {
    struct Record: Sendable {
        /// As it stands in the file, but for `@BASE@`.
        let bytes: [UInt8]
        let checksum: UInt64
    }

    /// What a filter or an id is compared with.
    private struct Content: Sendable {
        let id: Int?
        /// The strings of each member: its own text, or those of its array.
        let texts: [String: [String]]
    }

    let records: [Record]
    /// Made when the first filter or id comes: most runs only turn pages.
    private let contents = Mutex<[Content]?>(nil)

    /// - Throws: status 66 for a file that can't be read, and 65 for one with no array of records.
    init(path: String?, base: String) throws(ToolFailure) {
        guard let path else {
            records = []
            return
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ToolFailure(.noInput, "can't read catalogue \(path)")
        }
        let bytes = BaseMark.replaced([UInt8](data), by: base)
        do throws(RecordScanner.Failure) {
            records = try RecordScanner.records(in: bytes).map { range in
                let record = Array(bytes[range])
                return Record(bytes: record, checksum: Checksum.fnv(record))
            }
        } catch {
            throw ToolFailure(.badData, "\(path): byte \(error.offset): expected \(error.expected)")
        }
    }

    /// The record with that id.
    func record(id: Int) -> Record? {
        content().firstIndex { $0.id == id }.map { records[$0] }
    }

    /// The records in which each pattern is found in a string of its field. A field that a record hasn't got, or that
    /// holds no text, matches nothing.
    func records(matching filters: [(field: String, pattern: NSRegularExpression)]) -> [Record] {
        let contents = content()
        return records.indices.filter { index in
            filters.allSatisfy { field, pattern in
                contents[index].texts[field, default: []].contains { Self.matches($0, pattern) }
            }
        }.map { records[$0] }
    }

    private static func matches(_ text: String, _ pattern: NSRegularExpression) -> Bool {
        pattern.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    private func content() -> [Content] {
        contents.withLock { contents in
            if let made = contents { return made }
            let made = records.map { Self.content(of: $0) }
            contents = made
            return made
        }
    }

    /// A record that isn't JSON has no content; it is served all the same.
    private static func content(of record: Record) -> Content {
        do {
            let members = try JSONSerialization.jsonObject(with: Data(record.bytes)) as? [String: Any] ?? [:]
            let texts = members.compactMapValues { value in
                (value as? String).map { [$0] } ?? value as? [String]
            }
            return Content(id: (members["_id"] as? NSNumber)?.intValue, texts: texts)
        } catch {
            return Content(id: nil, texts: [:])
        }
    }
}
