// The committed inputs through the checks of the fuzzers, as they are and a little changed, without a sanitizer.

import Foundation
import Testing

@Suite("Fuzzed readers")
struct ReplayTests {
    private func corpus(_ target: FuzzTarget) throws -> [URL] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `keep their promises on the inputs of the corpus`(target: FuzzTarget) throws {
        let workspace = try Workspace()
        let files = try corpus(target)
        #expect(files.count >= 20)
        for file in files {
            do {
                try target.check(Array(try Data(contentsOf: file)), in: workspace)
            } catch {
                Issue.record("\(target.rawValue)/\(file.lastPathComponent): \(error)")
            }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `keep their promises on inputs that are cut off, and that have a byte changed`(target: FuzzTarget) throws {
        let workspace = try Workspace()
        for file in try corpus(target) {
            let bytes = Array(try Data(contentsOf: file))
            // A few places of each: they are many in all.
            for place in stride(from: 0, to: bytes.count, by: max(bytes.count / 4, 1)) {
                var changed = bytes
                changed[place] ^= 1 << UInt8(place % 8)
                for input in [changed, Array(bytes[..<place])] {
                    do {
                        try target.check(input, in: workspace)
                    } catch {
                        Issue.record("\(target.rawValue)/\(file.lastPathComponent), changed at \(place): \(error)")
                    }
                }
            }
        }
    }
}
