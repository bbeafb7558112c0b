// The table of notes beside a dictionary that is asked the same, and what damage and other processes do to it.

import Foundation
import PipelineCore
import PipelineHTTP
import Testing

@Suite("The table of notes")
struct NoteTableTests {
    private static let daySeconds = 86_400.0

    /// A table in a directory of its own, gone with the value.
    private final class Location {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("castline-" + UUID().uuidString)
            .path

        deinit { unsafe unlink(path) }

        func table() throws -> NoteTable { try NoteTable(path) }

        func key(_ number: Int) throws -> CacheKey {
            CacheKey(try HTTPRequest("http://a.example/\(number)"), userAgent: "test")
        }

        func change(_ body: (inout [UInt8]) -> Void) throws {
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            body(&bytes)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    private static func content(_ number: Int, _ turn: Int) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number &+ turn), count: (number &* 31 &+ turn) % 400)
    }

    @Test func `what two processes keep, both find, however often the table has doubled`() throws {
        let place = Location()
        var tables = [try place.table(), try place.table()]
        // It looks again only when the table has doubled several times.
        let reader = try place.table()
        var known: [Int: [UInt8]] = [:]
        for turn in 0..<12_000 {
            let number = turn % 7 == 3 ? turn / 2 : turn
            let content = Self.content(number, turn)
            tables[turn % 2].keep(try place.key(number), content, now: 0)
            known[number] = content
            if turn % 5 == 4 {
                tables[(turn + 1) % 2].forget(try place.key(turn - 4))
                known[turn - 4] = nil
            }
        }
        tables += [try place.table(), reader]
        for index in tables.indices {
            for number in 0..<12_000 {
                #expect(tables[index].content(try place.key(number), now: 0) == known[number])
            }
        }
    }

    @Test func `an entry that is too large is none, and takes the old one away`() throws {
        let place = Location()
        let table = try place.table()
        let key = try place.key(1)
        table.keep(key, [1], now: 0)
        table.keep(key, Array(repeating: 2, count: 4000), now: 0)
        #expect(table.content(key, now: 0) == nil)
        table.keep(key, Array(repeating: 3, count: 1300), now: 0)
        #expect(table.content(key, now: 0)?.count == 1300)
        table.keep(key, Array(repeating: 4, count: 1300), now: 0)
        #expect(table.content(key, now: 0) == Array(repeating: 4, count: 1300))
    }

    @Test func `what isn't used for long goes, what is used stays, and an empty table says so`() throws {
        let place = Location()
        let table = try place.table()
        for number in 0..<3000 { table.keep(try place.key(number), [UInt8(number % 256)], now: 0) }
        for number in 0..<1000 { #expect(table.content(try place.key(number), now: 20 * Self.daySeconds) != nil) }
        #expect(table.removeUnused(days: 30, now: 31 * Self.daySeconds))
        for number in 0..<3000 {
            #expect((table.content(try place.key(number), now: 31 * Self.daySeconds) != nil) == (number < 1000))
        }
        #expect(!table.removeUnused(days: 30, now: 90 * Self.daySeconds))
    }

    /// One of a day far in the future goes too: the clock was set back.
    @Test(arguments: [(0, 30.9, true), (0, 31, false), (70, 100, true), (130, 100, true), (131, 100, false)])
    func `a note stays for as many days as it is to, and no longer`(day: Double, now: Double, isKept: Bool) throws {
        let place = Location()
        let table = try place.table()
        let key = try place.key(1)
        table.keep(key, [1], now: day * Self.daySeconds)
        #expect(table.removeUnused(days: 30, now: now * Self.daySeconds) == isKept)
        #expect((table.content(key, now: now * Self.daySeconds) != nil) == isKept)
    }

    @Test func `where the table can't grow the oldest notes give way`() throws {
        let place = Location()
        let table = try place.table()
        // Another process doubles the table just now, as far as this one knows.
        let other = unsafe open(place.path, O_RDWR)
        defer { close(other) }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        for number in 0..<2000 {
            let now = Double(number) * Self.daySeconds
            table.keep(try place.key(number), Array(repeating: 7, count: 1300), now: now)
            #expect(table.content(try place.key(number), now: now) != nil)
        }
        for number in 0..<200 { #expect(table.content(try place.key(number), now: 0) == nil, "\(number)") }
    }

    @Test func `a table that is damaged or cut short gives what is whole, or nothing, and works on`() throws {
        for round in 0..<40 {
            let place = Location()
            let table = try place.table()
            for number in 0..<2000 { table.keep(try place.key(number), Self.content(number, 0), now: 0) }
            var generator = SystemRandomNumberGenerator()
            try place.change { bytes in
                for _ in 0..<200 {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255)
                }
                if round % 2 == 1 { bytes.removeLast(bytes.count / 3) }
                if round % 10 == 0 { for index in 0..<4096 { bytes[index] = .random(in: 0...255) } }
            }
            let after = try place.table()
            for number in 0..<2000 { _ = after.content(try place.key(number), now: 0) }
            for number in 0..<2000 { after.keep(try place.key(number), Self.content(number, 1), now: 0) }
            for number in 0..<2000 {
                #expect(after.content(try place.key(number), now: 0) == Self.content(number, 1))
            }
        }
    }

    @Test func `a place that can't be had is an error`() {
        #expect(throws: SystemError.self) { try NoteTable("/nowhere/notes") }
        #expect(throws: SystemError.self) { try NoteTable("/") }
    }
}
