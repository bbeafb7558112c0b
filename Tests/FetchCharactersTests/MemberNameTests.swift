// Members of a record that have the name of one that is added: both are there, each under a name of its own.

import PipelineCore
import TestSupport
import Testing

@testable import fetch_characters

struct MemberNameTests {
    /// Names that are added, read from or near them, some of them spelled with an escape.
    private static let names = [
        "page", "_page", "__page", "p\\u0061ge", "each", "_each", "\\u005feach", "source", "_source", "id", "_id",
        "t",
        "name", "_name", "x",
    ]

    private static func record(_ random: inout SplitMix64) -> String {
        let members = (0..<Int.random(in: 0...8, using: &random)).map { number in
            "\"\(names.randomElement(using: &random) ?? "x")\" :\"v\(number)\""
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// The members of an object in their order, by what their names say.
    private static func members(_ json: String) throws -> [(name: String, value: String)] {
        guard case .object(let members) = try JSONTree.read(Array(json.utf8).span) else { return [] }
        return members.map { ($0.name, $0.value.json) }
    }

    @Test(arguments: [true, false])
    func `no name that is added comes twice, and no value is lost`(isRaw: Bool) throws {
        let source = try Source.having(
            #""pagination":{"type":"none"},"members":{"id":["t","id"],"name":["name","x"]}"#)
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let record = Self.record(&random)
            var mapper = RecordMapper(source, isRaw: isRaw, addsPage: true, addsEach: true)
            mapper.each = #"{"q":"5"}"#
            try mapper.map(Array(record.utf8).span, page: 3)
            let line = mapper.lines.text
            let own = try Self.members(record)
            let written = try Self.members(line)
            #expect(written.suffix(2).map(\.name) == ["page", "each"], "\(record) \(line)")
            for name in ["page", "each"] + (isRaw ? [] : ["source"]) {
                #expect(written.count { $0.name == name } == 1, "\(record) \(line)")
            }
            // Every value comes out, and members of different names have different ones still.
            var places: [String: String] = [:]
            for member in own {
                #expect(written.contains { $0.value == member.value }, "\(record) \(line)")
                let place = written.last { $0.value == member.value && $0.name.hasSuffix(member.name) }?.name
                guard let place else { continue }
                let earlier = places.updateValue(member.name, forKey: place)
                #expect(earlier == nil || earlier == member.name, "\(record) \(line)")
            }
        }
    }

    @Test(arguments: [
        (#"{ "page":"x" }"#, #"{ "_page":"x" ,"page":3}"#),
        (#"{"page":1,"_page":2,"page":4}"#, #"{"__page":1,"_page":2,"__page":4,"page":3}"#),
        (#"{"p\u0061ge":1}"#, #"{"_p\u0061ge":1,"page":3}"#), (#"{"each":1}"#, #"{"each":1,"page":3}"#),
    ])
    func `raw records keep all but a name that is taken`(record: String, expected: String) throws {
        let source = try Source.having(#""pagination":{"type":"none"}"#)
        var mapper = RecordMapper(source, isRaw: true, addsPage: true)
        try mapper.map(Array(record.utf8).span, page: 3)
        #expect(mapper.lines.text == expected)
    }

    @Test(arguments: [
        // The first path moves its member, the others copy theirs.
        (#"{"d":"D","t":"T"}"#, #"{"source":"test","description":"D","t":"T"}"#),
        (#"{"d":"","t":"T"}"#, #"{"source":"test","description":"T","d":"","t":"T"}"#),
        (#"{"t":"T"}"#, #"{"source":"test","description":"T","t":"T"}"#),
        // What has the common member's own name is that member already.
        (#"{"description":"O"}"#, #"{"source":"test","description":"O"}"#),
        (#"{"d":"D","description":"O"}"#, #"{"source":"test","description":"D","_description":"O"}"#),
    ])
    func `only the first path of a list moves its member`(record: String, expected: String) throws {
        let source = try Source.having(
            #""pagination":{"type":"none"},"members":{"description":["d","t","description"]}"#)
        var mapper = RecordMapper(source)
        try mapper.map(Array(record.utf8).span)
        #expect(mapper.lines.text == expected)
    }
}
