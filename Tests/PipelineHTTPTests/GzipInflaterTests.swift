// Gzip streams: whole ones come out as they went in, however they arrive, and no other passes for one.

import PipelineHTTP
import TestSupport
import Testing

struct GzipInflaterTests {
    /// What a body comes out as.
    enum Result: Equatable {
        case whole([UInt8])
        /// It ends within a member.
        case cut
        case damaged
        case tooLarge([UInt8])
    }

    static let text = Array(String(repeating: #"{"id":12,"name":"Minna"},"#, count: 9).utf8)
    static let member = GzipMember.compressed(text)

    static func inflated(
        _ stream: [UInt8], pieces: Int = .max, limitBytes: Int = .max, by inflater: Inflater? = nil
    ) throws -> Result {
        let inflater = try inflater ?? Inflater()
        var body: [UInt8] = []
        var position = 0
        while position < stream.count {
            let count = min(pieces, stream.count - position)
            let piece = Array(stream[position..<position + count])
            do throws(Inflater.Fault) {
                guard try inflater.append(piece.span, to: &body, limitBytes: limitBytes) else {
                    return .tooLarge(body)
                }
            } catch {
                guard error == .damaged else { throw error }
                return .damaged
            }
            position += count
        }
        return inflater.isWhole ? .whole(body) : .cut
    }

    /// Bytes that hardly compress.
    static func noise(_ count: Int) -> [UInt8] {
        var generator = SplitMix64(seed: 7)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    // MARK: Whole

    @Test(arguments: [0, 1, 6, 9] as [Int32], [1, 2, 3, 7, 64, 4096, .max])
    func `a stream in pieces of any size gives its bytes`(level: Int32, pieces: Int) throws {
        for plain in [[], [0], Self.text, Self.noise(70_000), Self.text + [UInt8](repeating: 32, count: 200_000)] {
            let stream = GzipMember.compressed(plain, level: level)
            #expect(try Self.inflated(stream, pieces: pieces) == .whole(plain))
        }
    }

    @Test(arguments: [1, 2, 5, .max]) func `several members are one body, also empty ones`(pieces: Int) throws {
        let empty = GzipMember.compressed([])
        let stream = empty + Self.member + empty + GzipMember.compressed([65], level: 0) + Self.member + empty
        #expect(try Self.inflated(stream, pieces: pieces) == .whole(Self.text + [65] + Self.text))
    }

    @Test func `names, comments and extra fields of a header are skipped`() throws {
        // FEXTRA, FNAME and FCOMMENT (RFC 1952, section 2.3.1).
        var stream = Self.member
        stream[3] = 0x1C
        stream.insert(contentsOf: [2, 0, 7, 7] + Array("a.json\0a comment\0".utf8), at: 10)
        for pieces in [1, 4, Int.max] { #expect(try Self.inflated(stream, pieces: pieces) == .whole(Self.text)) }
    }

    @Test func `one inflater serves many bodies, whatever became of the one before`() throws {
        let inflater = try Inflater()
        for before in [Self.member, Array(Self.member.dropLast(9)), [1, 2, 3], []] {
            _ = try Self.inflated(before, by: inflater)
            inflater.restart()
            #expect(!inflater.isWhole)
            #expect(try Self.inflated(Self.member, by: inflater) == .whole(Self.text))
            inflater.restart()
        }
    }

    // MARK: Not whole

    @Test func `a stream that is cut anywhere isn't whole`() throws {
        for count in 0..<Self.member.count {
            #expect(try Self.inflated(Array(Self.member[..<count])) == .cut, "at \(count)")
            #expect(try Self.inflated(Array(Self.member[..<count]), pieces: 3) == .cut, "at \(count), in pieces")
        }
        let two = Self.member + Self.member
        for count in Self.member.count + 1..<two.count {
            #expect(try Self.inflated(Array(two[..<count])) == .cut, "at \(count)")
        }
    }

    @Test(arguments: [
        [0, 7, 7], [UInt8](repeating: 0, count: 512) + [1, 1], Array("{}".utf8), [0x1F, 0x8C], [0x1F, 0x8B, 7, 0],
    ])
    func `what follows a member has to be another one or zero bytes`(rest: [UInt8]) throws {
        for pieces in [1, Int.max] {
            #expect(try Self.inflated(Self.member + rest, pieces: pieces) == .damaged, "\(rest)")
            let padding = [UInt8](repeating: 0, count: rest.count)
            #expect(try Self.inflated(Self.member + padding, pieces: pieces) == .whole(Self.text))
            #expect(
                try Self.inflated(Self.member + padding + Self.member, pieces: pieces)
                    == .whole(Self.text + Self.text))
        }
    }

    @Test(arguments: [0, 1, 6, 9] as [Int32])
    func `a changed bit never passes for other bytes`(level: Int32) throws {
        let stream = GzipMember.compressed(Self.text, level: level)
        var harmless: Set<Int> = []
        for position in stream.indices {
            for bit in 0..<8 {
                var changed = stream
                changed[position] ^= 1 << bit
                let result = try Self.inflated(changed)
                // The time and the system of the header, bits that fill up a byte, and a distance to an equal text
                // say nothing about the bytes.
                if case .whole(let bytes) = result {
                    #expect(bytes == Self.text, "bit \(bit) of byte \(position)")
                    harmless.insert(position)
                }
            }
        }
        let checked = [0, 1, 2] + stream.indices.suffix(8)
        #expect(harmless.isDisjoint(with: checked) && harmless.count < 12, "\(harmless.sorted())")
    }

    @Test func `what comes before the damage is taken`() throws {
        var stream = Self.member
        stream[stream.count - 5] ^= 0x80
        let inflater = try Inflater()
        var body: [UInt8] = []
        #expect(throws: Inflater.Fault.damaged) {
            try inflater.append(stream.span, to: &body, limitBytes: .max)
        }
        #expect(body == Self.text && !inflater.isWhole)
    }

    @Test(arguments: ["", "plain", "<html>", "\u{78}\u{1}abc"]) func `what is no gzip is damaged`(text: String)
        throws
    {
        #expect(try Self.inflated(Array(text.utf8)) == (text.isEmpty ? .cut : .damaged))
    }

    // MARK: Limits

    @Test func `a body up to the limit is taken, and not a byte more`() throws {
        let count = Self.text.count
        #expect(try Self.inflated(Self.member, limitBytes: count) == .whole(Self.text))
        for limit in [0, 1, count - 1] {
            #expect(try Self.inflated(Self.member, limitBytes: limit) == .tooLarge(Array(Self.text[..<limit])))
        }
    }

    @Test func `a bomb fills no more than the limit`() throws {
        let bomb = GzipMember.compressed(Self.text, spaces: 32 << 20)
        #expect(bomb.count < 100_000)
        guard case .tooLarge(let body) = try Self.inflated(bomb, limitBytes: 1_000_000) else {
            Issue.record("it was taken")
            return
        }
        #expect(body.count == 1_000_000 && body.capacity < 2_100_000)
    }

    @Test(arguments: [65_535, 65_536, 65_537, 131_072]) func `a body may end where a block does`(count: Int) throws
    {
        let plain = [UInt8](repeating: 32, count: count)
        let stream = GzipMember.compressed(plain) + Self.member
        for pieces in [20, Int.max] {
            #expect(try Self.inflated(stream, pieces: pieces) == .whole(plain + Self.text))
        }
    }

    @Test func `nothing that has come waits for what comes next`() throws {
        for count in stride(from: 65_530, to: 65_900, by: 5) {
            let inflater = try Inflater()
            var body: [UInt8] = []
            // Without its checksum and its length, the last bytes of a member.
            let stream = Array(GzipMember.compressed([UInt8](repeating: 32, count: count)).dropLast(8))
            #expect(try inflater.append(stream.span, to: &body, limitBytes: .max) && body.count == count)
        }
    }
}
