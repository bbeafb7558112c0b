// Lines from a pipe that is filled piece by piece: those that are there come without waiting, and the same ones come
// however the input is cut.

import Foundation
import PipelineCore
import Testing

@Suite("Lines without waiting")
struct LineReaderWaitingTests {
    /// Both ends of a pipe.
    private struct Pipe: ~Copyable {
        let input: Descriptor
        private let writing: Descriptor

        init() throws { (input, writing) = try Descriptor.pipe("<pipe>") }

        func write(_ bytes: ArraySlice<UInt8>) throws { try writing.writeAll(Array(bytes).span) }
        func end() throws { try writing.close() }
        deinit { _ = Foundation.close(input.rawValue) }
    }

    /// Takes all events that are there.
    private static func drain(_ lines: inout LineReader, into events: inout [String]) throws {
        var rejects = try Rejects(nil)
        while let event = try lines.advanceWithoutWaiting(rejects: &rejects) {
            switch event {
            case .line: events.append("\(lines.lineNumber) \(lines.line.text)")
            case .tooLong: events.append("\(lines.lineNumber) too long")
            case .end: return events.append("end")
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `the lines are the same in pieces of any size`(_ size: Int) throws {
        let text =
            "\u{FEFF}first\n\nthird, which is too long\r\nfour\n" + String(repeating: "x", count: 40) + "\nlast"
        let bytes = Array(text.utf8)
        let pipe = try Pipe()
        var lines = LineReader(pipe.input, limitBytes: 10)
        var events: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            try pipe.write(bytes[start..<min(start + size, bytes.count)])
            try Self.drain(&lines, into: &events)
            #expect(events.last != "end")
        }
        try pipe.end()
        try Self.drain(&lines, into: &events)
        #expect(events == ["1 first", "2 ", "3 too long", "4 four", "5 too long", "6 last", "end"])
    }

    @Test
    func `half a line is no line yet`() throws {
        let pipe = try Pipe()
        var lines = LineReader(pipe.input)
        var rejects = try Rejects(nil)
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == nil)
        try pipe.write(Array("one\ntw".utf8)[...])
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == .line)
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == nil)
        try pipe.write(Array("o\n".utf8)[...])
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == .line)
        #expect(lines.line.text == "two")
        try pipe.end()
        #expect(try lines.advanceWithoutWaiting(rejects: &rejects) == .end)
    }
}
