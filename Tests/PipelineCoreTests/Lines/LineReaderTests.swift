// Lines from a pipe that another thread fills: the same ones, however the input is cut.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("Lines")
struct LineReaderTests {
    /// What a reader finds in bytes that come in pieces of one size: `number:line`, `number!` for one too long.
    static func events(_ bytes: [UInt8], piece: Int, limitBytes: Int = 1 << 20, rejects path: String? = nil) throws
        -> [String]
    {
        let (reading, writing) = try Descriptor.pipe("<pipe>")
        let writer = Thread {
            do {
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    try writing.writeAll(Array(bytes[start..<min(start + piece, bytes.count)]).span)
                }
                try writing.close()
            } catch {
                Issue.record(error)
            }
        }
        writer.start()
        defer { close(reading.rawValue) }
        var lines = LineReader(reading, limitBytes: limitBytes)
        var output = OutputBuffer(.standardOutput)
        var rejects = try Rejects(path)
        var events: [String] = []
        while true {
            switch try lines.advance(flushing: &output, rejects: &rejects) {
            case .line: events.append("\(lines.lineNumber):\(lines.line.text)")
            case .tooLong: events.append("\(lines.lineNumber)!")
            case .end:
                #expect(lines.bytesRead == bytes.count)
                #expect(try lines.advance(flushing: &output, rejects: &rejects) == .end)
                try rejects.close()
                return events
            }
        }
    }

    @Test(arguments: [
        ("", []), ("\n", ["1:"]), ("a", ["1:a"]), ("a\n", ["1:a"]), ("a\nb", ["1:a", "2:b"]),
        ("\n\na\n\n", ["1:", "2:", "3:a", "4:"]),
        ("a\r\nb\r\n", ["1:a\r", "2:b\r"]), ("a\rb\n", ["1:a\rb"]),
        ("\u{FEFF}a\n\u{FEFF}b\n", ["1:a", "2:\u{FEFF}b"]), ("\u{FEFF}", ["1:"]),
        ("\u{FEFF}\n", ["1:"]), ("\u{2028}\u{85}\u{B}\u{C}\n", ["1:\u{2028}\u{85}\u{B}\u{C}"]),
        ("\0\n\0", ["1:\0", "2:\0"]),
    ])
    func `are cut at LF and nowhere else`(_ text: String, _ expected: [String]) throws {
        for piece in [1, 2, 3, 7, 1000] { #expect(try Self.events(Array(text.utf8), piece: piece) == expected) }
    }

    /// The same from a file that is read in parts, one after the other, with one buffer; the lines are numbered through.
    static func events(_ bytes: [UInt8], parts: [Range<Int>], limitBytes: Int) throws -> [String] {
        let folder = try ScratchFolder()
        let path = folder.path + "/lines"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let file = try Descriptor.reading(path)
        var lines = LineReader(.standardInput, limitBytes: limitBytes)
        var output = OutputBuffer()
        var rejects = try Rejects(nil)
        var events: [String] = []
        var before = 0
        for part in parts {
            try lines.begin(file, part: part)
            reading: while true {
                switch try lines.advance(flushing: &output, rejects: &rejects) {
                case .line: events.append("\(before + lines.lineNumber):\(lines.line.text)")
                case .tooLong: events.append("\(before + lines.lineNumber)!")
                case .end: break reading
                }
            }
            before += lines.lineNumber
        }
        try file.close()
        return events
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `are the same from a file in parts`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = ["", "a", "\r", "bc", "a longer line", "\u{FEFF}", "\n", "\n\n", "é"]
        let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            (pieces.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? "\n" : "")
        }.joined()
        let bytes = Array(text.utf8)
        let limit = [4, 10, 1000][Int(seed % 3)]
        var cuts: [Int] = [0]
        while let last = cuts.last, last < bytes.count {
            cuts.append(last + Int.random(in: 1...12, using: &random))
        }
        cuts[cuts.count - 1] = .max
        let parts = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
        #expect(
            try Self.events(bytes, parts: parts.isEmpty ? [0 ..< .max] : parts, limitBytes: limit)
                == Self.events(bytes, piece: 1000, limitBytes: limit))
    }

    @Test(arguments: [
        ("1234567890\r\na\r\n", ["1:1234567890\r", "2:a\r"]), ("1234567890a\r\na", ["1!", "2:a"]),
        ("1234567890\r", ["1:1234567890\r"]), ("1234567890\r\r\n", ["1!"]),
        ("1234567890\n", ["1:1234567890"]), ("12345678901\n", ["1!"]), ("1234567890", ["1:1234567890"]),
        ("12345678901", ["1!"]),
        ("12345678901\nab", ["1!", "2:ab"]),
        ("a\n1234567890123456789012345678901234567890\nb\n", ["1:a", "2!", "3:b"]),
        ("\u{FEFF}1234567890\na", ["1:1234567890", "2:a"]), ("\u{FEFF}12345678901\na", ["1!", "2:a"]),
        ("12345678901\n123456789012\n", ["1!", "2!"]),
        ("1234567890123\n", ["1!"]), ("1234567890123", ["1!"]),
    ])
    func `that are longer than the limit go by, and no others`(_ text: String, _ expected: [String]) throws {
        for piece in [1, 2, 3, 7, 11, 12, 13, 14, 1000] {
            #expect(try Self.events(Array(text.utf8), piece: piece, limitBytes: 10) == expected, "\(piece)")
        }
    }

    @Test(arguments: [1, 2, 3, 7, 65_536, 300_000])
    func `are the same in pieces of any size, and larger than the buffer`(_ piece: Int) throws {
        var random = SplitMix64(seed: 7)
        let lengths = [0, 1, 262_143, 5, 262_144, 262_145, 100, 600_000, 3].shuffled(using: &random)
        let counts = piece < 10 ? lengths.filter { $0 < 1000 } + [20_000] : lengths
        let lines = counts.map { String(repeating: random.pick(["x", "y", "z"]), count: $0) }
        let found = try Self.events(Array(lines.joined(separator: "\n").utf8), piece: piece)
        #expect(found == lines.enumerated().map { "\($0.offset + 1):\($0.element)" })
    }

    @Test(arguments: [1000, 262_144, 300_000, 524_288, 524_289])
    func `up to the limit fit wherever they begin in a full buffer`(_ limit: Int) throws {
        var random = SplitMix64(seed: UInt64(limit))
        let lengths = (0..<40).map { _ in
            Bool.random(using: &random)
                ? limit + Int.random(in: -2...2, using: &random)
                : Int.random(in: 0...limit, using: &random)
        }
        let text = lengths.map { String(repeating: "x", count: $0) }.joined(separator: "\n") + "\n"
        let found = try Self.events(Array(text.utf8), piece: 100_000, limitBytes: limit)
        #expect(
            found.map(\.utf8.count)
                == lengths.enumerated().map {
                    "\($0.offset + 1)".utf8.count + 1 + ($0.element > limit ? 0 : $0.element)
                })
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `give back all of the input between them`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = (0..<Int.random(in: 0...2000, using: &random)).map { _ in
            random.pick(["\n", "a", "b", "é", "\r", " "])
        }.joined()
        let expected = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let found = try Self.events(Array(text.utf8), piece: random.pick([1, 2, 3, 7]))
        let kept = expected.last == "" ? Array(expected.dropLast()) : expected
        #expect(found == kept.enumerated().map { "\($0.offset + 1):\($0.element)" })
    }

    @Test(arguments: [1, 3, 7, 1000])
    func `that are too long are kept byte for byte where asked for`(_ piece: Int) throws {
        let folder = try ScratchFolder()
        let text = "ok\n12345678901\n" + String(repeating: "x", count: 5_000) + "\nok\n123456789012\r\n"
        _ = try Self.events(Array(text.utf8), piece: piece, limitBytes: 10, rejects: folder.path("rejects"))
        #expect(
            try folder.text("rejects") == "12345678901\n" + String(repeating: "x", count: 5_000)
                + "\n123456789012\r\n")
    }

    /// In a process of its own, as a signal is for the whole process.
    @Test
    func `that a signal has cut off are none`() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            let path = folder.path + "/lines"
            try Data("one\nhal".utf8).write(to: URL(fileURLWithPath: path))
            let file = try Descriptor.reading(path)
            var lines = LineReader(.standardInput)
            try lines.begin(file, part: 0 ..< .max)
            var output = OutputBuffer()
            var rejects = try Rejects(nil)
            let first = try lines.advance(flushing: &output, rejects: &rejects)
            #expect(first == .line)
            Signals.requestAsBrokenPipe()
            do throws(ToolFailure) {
                let second = try lines.advance(flushing: &output, rejects: &rejects)
                Issue.record("\(second) \(lines.line.text)")
            } catch {
                #expect(error.message.description.hasPrefix("cannot read \(path): "))
            }
        }
    }

    @Test
    func `come without waiting where they are whole, and half a line is none yet`() throws {
        let (reading, writing) = try Descriptor.pipe("<pipe>")
        defer { close(reading.rawValue) }
        var lines = LineReader(reading)
        var rejects = try Rejects(nil)
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == nil)
        try writing.writeAll(Array("one\ntw".utf8).span)
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == .line)
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == nil)
        try writing.writeAll(Array("o\n".utf8).span)
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == .line)
        #expect(lines.line.text == "two")
        try writing.close()
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == .end)
    }

    @Test
    func `can't be read from a descriptor that is closed`() throws {
        var lines = LineReader(Descriptor(rawValue: -1, name: "<none>"))
        var output = OutputBuffer(.standardOutput)
        var rejects = try Rejects(nil)
        do {
            _ = try lines.advance(flushing: &output, rejects: &rejects)
            Issue.record("it was read")
        } catch {
            #expect(error.status == .inputOutput)
            #expect(error.message.description.hasPrefix("cannot read <none>: bad file descriptor; "))
        }
    }
}
