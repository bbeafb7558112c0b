// Lines are cut at LF and nowhere else, in whatever pieces the input comes.

import PipelineCore

enum LineCheck {
    private static let pieces = [1, 2, 3, 7]
    /// Larger inputs are left out: each byte may be a write of its own, and a pipe holds no more.
    private static let limit = 2048

    static func check(_ bytes: [UInt8]) throws {
        guard bytes.count <= limit else { return }
        // One size for each input: the inputs are many, and the sizes get their share.
        let sum = bytes.reduce(0) { $0 &* 31 &+ Int($1) }
        let limitBytes = sum & 4 == 0 ? 1 << 20 : 10
        let found = try events(bytes, piece: pieces[sum & 3], limitBytes)
        let expected = plainEvents(bytes, limitBytes)
        try demand(found == expected, "in pieces of \(pieces[sum & 3]): \(found), not \(expected)")
    }

    /// Each line with its number, nil for one that is too long.
    private struct Event: Equatable {
        let number: Int
        let line: [UInt8]?
    }

    private static func plainEvents(_ bytes: [UInt8], _ limitBytes: Int) -> [Event] {
        InputText.lines(bytes).enumerated().map { place, line in
            let line = place == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
            // A CR before the LF stays and doesn't count.
            let length = line.count - (line.last == 0x0D ? 1 : 0)
            return Event(number: place + 1, line: length <= limitBytes ? line : nil)
        }
    }

    private static func events(_ bytes: [UInt8], piece: Int, _ limitBytes: Int) throws -> [Event] {
        let (reading, writing) = try Descriptor.pipe("<pipe>")
        var lines = LineReader(reading, limitBytes: limitBytes)
        var rejects = try Rejects(nil)
        var events: [Event] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try writing.writeAll(bytes.span.extracting(start..<min(start + piece, bytes.count)))
            while let event = try lines.advanceWithoutWaiting(rejects: &rejects) { note(event, lines, &events) }
        }
        try writing.close()
        // The end is waited for: a process that was just begun may hold the other end for a moment.
        var output = OutputBuffer()
        while true {
            let event = try lines.advance(flushing: &output, rejects: &rejects)
            guard event != .end else { break }
            note(event, lines, &events)
        }
        try reading.close()
        return events
    }

    private static func note(_ event: LineReader.Event, _ lines: borrowing LineReader, _ events: inout [Event]) {
        let line = event == .line ? unsafe lines.line.withUnsafeBytes { unsafe Array($0) } : nil
        events.append(Event(number: lines.lineNumber, line: line))
    }
}
