// Runs of fetch-images over records, and what came, for its suites.

import Foundation
import TestSupport
import Testing

enum ImageRun {
    /// The added member as a test reads it.
    struct Member: Decodable, Equatable {
        var path: String?
        var url: String?
        var sha256: String?
        var bytes: Int?
        var type: String?
        var width: Int?
        var height: Int?
        var status: String
        var error: String?
    }

    private struct Record: Decodable {
        var id: Int?
        let imageFile: Member
    }

    static func records(_ run: Session) throws -> [(id: Int?, imageFile: Member)] {
        try run.lines.map { line in
            let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
            return (record.id, record.imageFile)
        }
    }

    static func input(_ urls: [String]) -> String {
        urls.enumerated().map { "{\"id\":\($0),\"imageURL\":\"\($1)\"}\n" }.joined()
    }

    /// Fast retries would make these tests slow: by default none.
    static func run(
        _ input: String, _ arguments: [String] = ["--retries", "0"], folder: ScratchFolder? = nil
    ) throws -> Session {
        try Session(
            "fetch-images", ["--allow-private"] + arguments, input: input.utf8, folder: folder)
    }

    static func plain(_ input: String, _ arguments: [String], _ folder: ScratchFolder) throws -> Session {
        try Session(
            "fetch-images", ["--allow-private", "--retries", "0"] + arguments, input: input.utf8, folder: folder)
    }

    /// The pictures of the records that have one.
    static func paths(_ run: Session) throws -> [String] {
        try run.records().compactMap { ($0["imageFile"] as? [String: Any])?["path"] as? String }
    }

    /// Every file under a directory, as paths from there.
    static func files(_ folder: ScratchFolder, _ name: String = "images") throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path(name)) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path(name)).sorted().filter { path in
            var isDirectory: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(
                atPath: folder.path("\(name)/\(path)"), isDirectory: &isDirectory)
            return !isDirectory.boolValue
        }
    }
}
