// The reader's judgement on texts that are nearly JSON, compared with two others'.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("The reader judges texts as")
struct ReaderDifferentialTests {
    /// Texts that are JSON, and such texts with a few bytes changed.
    static func texts(_ seed: UInt64, count: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        let bytes =
            Array("{}[]\":,\\u0aE-+.1 \n\t/tfn'".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        return (0..<count).map { number in
            let text = Array(JSONTree.random(depth: 4, &random).text(&random).utf8)
            return number % 4 == 0 ? text : PathPropertyTests.mutated(text, &random, bytes)
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no /usr/bin/python3"))
    func `Python's json does`() throws {
        let program = """
            import base64, json, sys
            def refuse(word): raise ValueError(word)
            for line in sys.stdin:
                try:
                    json.loads(base64.b64decode(line).decode('utf-8', 'strict'), parse_constant=refuse)
                    print(1)
                except ValueError:
                    print(0)
            """
        let texts = Self.texts(1, count: 20_000)
        let answers = try Self.run(program, texts.map { Data($0).base64EncodedString() + "\n" }.joined())
        try #require(answers.count == texts.count)
        var valid = 0
        for (text, answer) in zip(texts, answers) {
            let isValid = JSONProbe.fault(in: text) == nil
            valid += isValid ? 1 : 0
            #expect(isValid == (answer == "1"), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(valid > 4_000 && valid < 16_000)
    }

    /// The lines that Python prints.
    static func run(_ program: String, _ input: String) throws -> [Substring] {
        let folder = try ScratchFolder()
        try folder.write(input, to: "input")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", program]
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("input")))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: 2..<12 as Range<UInt64>)
    func `a plain reading does`(_ seed: UInt64) {
        for text in Self.texts(seed, count: 1_000) {
            let isValid = JSONProbe.fault(in: text) == nil
            #expect(isValid == ((try? PlainJSON.read(text)) != nil), "\(String(decoding: text, as: UTF8.self))")
        }
    }
}
