// The sessions under Transcripts: each file is run as it is written.

import Foundation
import Testing

@Suite("The transcripts")
struct TranscriptTests {
    private static let root = Fixtures.checkout + "/Tests/ToolTests/Transcripts"
    private static let writes = ProcessInfo.processInfo.environment["CASTLINE_WRITE_TRANSCRIPTS"] != nil

    /// Those whose path has this in it, as `store-plist/` or `learn`. Empty for all.
    private static let wanted = ProcessInfo.processInfo.environment["CASTLINE_TRANSCRIPTS"] ?? ""

    static let files: [String] = (FileManager.default.subpaths(atPath: root) ?? []).filter {
        $0.hasSuffix(".txt") && (Executables.testsPackages || writes || !$0.hasPrefix("scripts/"))
            && (wanted.isEmpty || $0.contains(wanted))
    }.sorted()

    @Test(arguments: files)
    func `say what the tools print; CASTLINE_WRITE_TRANSCRIPTS=1 writes what they print now`(file: String) throws {
        let path = Self.root + "/" + file
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (use, tool) in [("| jq ", "jq"), ("git init ", "git")] where text.contains(use) && !Shells.has(tool) {
            return withKnownIssue("\(file) needs \(tool)") { Issue.record("not run") }
        }
        let transcript = try Transcript(text)
        let current = try transcript.run { line, command, expected, actual in
            #expect(
                Self.writes || Transcript.agree(expected, actual),
                "\(file):\(line): $ \(command)\n\(actual.joined(separator: "\n"))")
        }
        if Self.writes { try current.write(toFile: path, atomically: true, encoding: .utf8) }
    }

    @Test(.enabled(if: wanted.isEmpty))
    func `are there for each tool`() {
        for tool in ["fetch-characters", "fetch-images", "filter-search", "store-plist"] {
            #expect(Self.files.contains { $0.hasPrefix(tool + "/") }, "\(tool)")
        }
    }

    @Test(arguments: [
        (["a", "[1]"], ["a", "[1]"], true), (["a…"], ["abc"], true), (["a…"], ["b"], false),
        ([], ["a"], false), (["a"], [], false), (["a", "b"], ["b", "a"], false), (["…"], [""], true),
    ])
    func `agree line by line, but for what an ellipsis stands for`(
        expected: [String], actual: [String], agrees: Bool
    ) {
        #expect(Transcript.agree(expected, actual) == agrees)
    }
}
