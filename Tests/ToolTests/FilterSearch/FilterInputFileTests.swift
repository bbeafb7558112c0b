// A file on stdin is searched like one that is named, from where its offset stands.

import TestSupport
import Testing

@Suite("A file on stdin") struct FilterInputFileTests {
    /// Lines with all that can be wrong with them, more than a part's.
    private func text(seed: UInt64, bytes: Int) -> String {
        var records = RecordLines(seed: seed)
        var text = ""
        var number = 0
        while text.utf8.count < bytes {
            number += 1
            text += number % 97 == 0 ? "nonsense\n" : number % 89 == 0 ? " \r\n" : records.next() + "\n"
        }
        return text + #"{"name":"Mick without an end"}"#
    }

    private func figures(_ report: String) -> String {
        report.split(separator: ",").filter { !$0.contains("seconds") }.joined(separator: ",")
    }

    @Test(arguments: [2000, 1_500_000])
    func `a file, a pipe and a named file give the same`(bytes: Int) throws {
        let folder = try ScratchFolder()
        try folder.write(text(seed: UInt64(bytes), bytes: bytes).utf8, to: "a.jsonl")
        let seal = "\n" + FilterSearchTests.seal
        try folder.write((text(seed: 3, bytes: bytes) + seal).utf8, to: "sealed.jsonl")
        for file in ["a.jsonl", "sealed.jsonl"] {
            for arguments in [
                "mick", "''", "-v mick", "-c i", "-z mikc", "--loose mick", "--best 20 i", "-m 5 i", "-q i",
                "--strict x", "--color always mick", "--rejects bad mick",
            ] {
                let pipe = try Session.script("cat \(file) | filter-search --report r \(arguments)", folder: folder)
                let piped = try figures(folder.text("r"))
                let input = try Session.script("filter-search --report r \(arguments) <\(file)", folder: folder)
                #expect(input.output == pipe.output, "\(file) \(arguments)")
                #expect(input.errors == pipe.errors, "\(file) \(arguments)")
                #expect(input.status == pipe.status)
                if !arguments.hasPrefix("-m") && !arguments.hasPrefix("-q") {
                    #expect(try figures(folder.text("r")) == piped, "\(file) \(arguments)")
                }
                let named = try Session.script("filter-search \(arguments) \(file)", folder: folder)
                #expect(named.output == input.output, "\(file) \(arguments)")
            }
        }
    }
}
