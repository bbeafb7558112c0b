// Stores with pictures that nobody has named for long, and runs that prune them, for the suites about --prune.

import Foundation
import TestSupport
import Testing

enum PruneRun {
    static let seal = "{\"$seal\":{\"records\":1,\"complete\":true}}\n"
    private static let longAgo = Date(timeIntervalSinceNow: -40 * 86_400)

    /// A record whose picture is in its URL: a picture of its own for each width.
    static func record(_ width: Int) -> String {
        "{\"id\":\(width),\"name\":\"n\(width)\",\"imageURL\":"
            + "\"data:image/svg+xml,%3Csvg width=%22\(width)%22 height=%221%22/%3E\"}\n"
    }

    static func run(
        _ input: String, _ arguments: [String], _ folder: ScratchFolder
    ) throws -> Session {
        try Session(
            "fetch-images", ["--allow-private", "--retries", "0"] + arguments, input: input.utf8, folder: folder)
    }

    /// Stores the pictures of these widths, and makes them look long unnamed.
    /// - Returns: their files, in this order.
    @discardableResult
    static func store(
        _ widths: [Int], _ arguments: [String], _ folder: ScratchFolder
    ) throws -> [String] {
        let run = try run(widths.map(record).joined(), arguments, folder)
        let paths = try paths(run)
        try #require(run.status == 0 && paths.count == widths.count)
        for path in paths { try age(path, folder) }
        return paths
    }

    static func age(_ path: String, _ folder: ScratchFolder) throws {
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: folder.path(path))
    }

    /// The pictures of the records that have one.
    static func paths(_ run: Session) throws -> [String] {
        try run.lines.compactMap { line in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (record?["imageFile"] as? [String: Any])?["path"] as? String
        }
    }

    static func exists(_ path: String, _ folder: ScratchFolder) -> Bool {
        FileManager.default.fileExists(atPath: folder.path(path))
    }

    static func pruned(_ folder: ScratchFolder) throws -> [String: Int]? {
        let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("report"))) as? [String: Any]
        return report?["pruned"] as? [String: Int]
    }
}
