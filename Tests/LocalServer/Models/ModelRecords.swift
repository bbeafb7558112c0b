// The files of the models' records: each an array, of which every record keeps its bytes.

import Foundation
import PipelineCore

/// A record of a model: its bytes, and what a model looks for in it.
struct ModelRecord: Sendable {
    let bytes: [UInt8]
    /// The strings among its members, and the numbers as text.
    private let scalars: [String: String]
    /// The arrays of strings.
    private let lists: [String: [String]]

    init(bytes: [UInt8], members: [String: Any]) {
        self.bytes = bytes
        scalars = members.compactMapValues { $0 as? String ?? ($0 as? NSNumber)?.stringValue }
        lists = members.compactMapValues { $0 as? [String] }
    }

    func text(_ name: String) -> String? { scalars[name] }

    func texts(_ name: String) -> [String] { lists[name] ?? [] }
}

/// The reader of the files.
enum ModelRecords {
    /// - Throws: status 66 for a file that can't be read, and 65 for one that is no array of objects.
    static func read(_ name: String, folder: String, base: String) throws(ToolFailure) -> [ModelRecord] {
        let path = folder + "/" + name
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ToolFailure(.noInput, "can't read records \(path)")
        }
        let bytes = BaseMark.replaced([UInt8](data), by: base)
        do {
            return try RecordScanner.records(in: bytes).map { range in
                let record = Array(bytes[range])
                let members = try JSONSerialization.jsonObject(with: Data(record)) as? [String: Any]
                return ModelRecord(bytes: record, members: members ?? [:])
            }
        } catch {
            throw ToolFailure(.badData, "\(path): \(error)")
        }
    }
}
