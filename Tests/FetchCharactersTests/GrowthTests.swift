// What a service can make long, doubled three times: the work may grow as the input does, and no faster.
//
// Processor time of the thread is compared with itself, never with a clock: eight times the input takes eight times as long
// if the work is linear, and sixty-four times if it is quadratic.

import CLibrary
import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite(.serialized) struct GrowthTests {
    private static let most = 24.0

    private static func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }

    /// How much longer the work takes for eight times the size: the best of some tries, as others use the machine too.
    static func growth(_ size: Int, _ input: (Int) -> [UInt8], _ work: ([UInt8]) throws -> Void) throws -> Double {
        let (small, large) = (input(size), input(8 * size))
        try work(small)
        var least = Double.infinity
        for _ in 0..<3 where least > most {
            let first = try processorSeconds { try work(small) }
            let second = try processorSeconds { try work(large) }
            least = min(least, second / first)
        }
        return least
    }

    private static func text(_ count: Int, _ part: (Int) -> String) -> [UInt8] {
        Array(("{" + (0..<count).map(part).joined(separator: ",") + "}").utf8)
    }

    static let records: [(name: String, make: @Sendable (Int) -> [UInt8])] = [
        ("one name", { text($0) { _ in #""name":"x""# } }),
        ("one name with an escape", { text($0) { _ in #""n\u0061me":"x""# } }),
        ("a name and a longer one", { text($0) { $0.isMultiple(of: 2) ? #""name":1"# : #""_name":1"# } }),
        ("the names that are added", { text($0) { $0.isMultiple(of: 2) ? #""page":1"# : #""each":1"# } }),
        ("a name of a fallback", { text($0) { _ in #""t":"""# } }),
        ("other names", { text($0) { "\"m\($0)\":1" } }),
        ("line ends", { text($0) { _ in "\n\"a\"\n:\n1\n" } }),
        ("white space around an id", { Array("{\"i\":\"\(String(repeating: "\\u00a0", count: $0))\"}".utf8) }),
        ("escapes", { Array("{\"name\":\"\(String(repeating: "\\u0061", count: $0))\"}".utf8) }),
    ]

    @Test(arguments: records.map(\.name)) func `a record is mapped in linear time`(name: String) throws {
        let make = try #require(Self.records.first { $0.name == name }?.make)
        let source = try Source.having(
            #""pagination":{"type":"none"},"members":{"id":["i","id"],"name":["name","t"],"imageURL":"{$.a}/x"}"#)
        for isRaw in [false, true] {
            let growth = try Self.growth(4_000, make) { record in
                var mapper = RecordMapper(source, isRaw: isRaw, addsPage: true, addsEach: true)
                try mapper.map(record.span, page: 1)
            }
            #expect(growth < Self.most, "\(name), raw: \(isRaw)")
        }
    }

    static let parts: [(name: String, make: @Sendable (Int) -> String)] = [
        ("members", { #"{"id":7,"m\#($0)":1}"# }), ("elements", { #"{"id":7,"a":[\#($0)]}"# }),
        ("members further in", { #"{"id":7,"a":{"b":{"m\#($0)":1}}}"# }),
        ("elements further in", { #"{"id":7,"a":{"b":[\#($0)]}}"# }),
        ("what is known", { _ in #"{"id":7,"m1":1,"a":{"b":1}}"# }), ("records", { #"{"id":\#($0),"m":1}"# }),
    ]

    @Test(arguments: parts.map(\.name)) func `parts are joined in linear time`(name: String) throws {
        let make = try #require(Self.parts.first { $0.name == name }?.make)
        let source = try RecordMergeTests.source()
        func lines(_ count: Int) -> [UInt8] { Array((0..<count).map(make).joined(separator: "\n").utf8) }
        let growth = try Self.growth(1_000, lines) { text in
            var merge = RecordMerge(source, subject: "")
            for line in text.split(separator: 0x0A) {
                let part = Array(line)
                _ = try merge.add(part.span, id: try merge.id(of: part.span))
            }
            _ = merge.take()
        }
        #expect(growth < Self.most)
    }
}
