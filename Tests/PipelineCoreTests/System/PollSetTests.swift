// Waiting for several descriptors.

import PipelineCore
import Testing

@Suite("A set of descriptors that are waited for")
struct PollSetTests {
    /// A pipe that no child inherits, else its ends would stay open.
    private struct Ends {
        private let ends: (reading: Descriptor, writing: Descriptor)

        init() throws { ends = try Descriptor.pipe("a pipe") }

        var reader: Int32 { ends.reading.rawValue }
        var writer: Int32 { ends.writing.rawValue }

        func write() throws { try ends.writing.writeAll([UInt8(1)].span) }
        func closeWriter() throws { try ends.writing.close() }
        func closeReader() throws { try ends.reading.close() }
    }

    @Test
    func `an empty set, and one where nothing is ready, wait for their time`() throws {
        var set = PollSet()
        #expect(set.wait(milliseconds: 0).isEmpty)
        let ends = try Ends()
        set.watch(ends.reader, toRead: true, toWrite: false)
        #expect(set.wait(milliseconds: 1).isEmpty)
    }

    @Test
    func `what is ready is told, in what way, and only where it was asked for`() throws {
        let (first, second) = (try Ends(), try Ends())
        var set = PollSet()
        set.watch(first.reader, toRead: true, toWrite: false)
        set.watch(second.reader, toRead: true, toWrite: false)
        set.watch(second.writer, toRead: false, toWrite: true)
        #expect(set.wait(milliseconds: 0) == [.init(number: second.writer, toRead: false, toWrite: true)])
        try first.write()
        set.watch(second.writer, toRead: false, toWrite: false)
        #expect(set.wait(milliseconds: 1000) == [.init(number: first.reader, toRead: true, toWrite: false)])
    }

    @Test
    func `the other end's closing is something to read, and a lost reader something to write`() throws {
        let (first, second) = (try Ends(), try Ends())
        var set = PollSet()
        set.watch(first.reader, toRead: true, toWrite: false)
        set.watch(second.writer, toRead: false, toWrite: true)
        try first.closeWriter()
        try second.closeReader()
        let ready = set.wait(milliseconds: 1000)
        #expect(
            ready == [
                .init(number: first.reader, toRead: true, toWrite: false),
                .init(number: second.writer, toRead: false, toWrite: true),
            ])
    }

    private static func orders(of numbers: [Int]) -> [[Int]] {
        guard numbers.count > 1 else { return [numbers] }
        return numbers.flatMap { first in orders(of: numbers.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test
    func `what is forgotten, in any order, isn't told any more, and may come back`() throws {
        let ends = try (0..<5).map { _ in try Ends() }
        for order in Self.orders(of: Array(ends.indices)) {
            var set = PollSet()
            for end in ends {
                try end.write()
                set.watch(end.reader, toRead: true, toWrite: false)
            }
            var left = Set(ends.map(\.reader))
            for index in order {
                set.forget(ends[index].reader)
                set.forget(ends[index].reader)
                left.remove(ends[index].reader)
                #expect(Set(set.wait(milliseconds: 0).map(\.number)) == left)
            }
            set.forget(-1)
            set.forget(100_000)
            set.watch(ends[2].reader, toRead: true, toWrite: false)
            #expect(set.wait(milliseconds: 0).map(\.number) == [ends[2].reader])
        }
    }
}
