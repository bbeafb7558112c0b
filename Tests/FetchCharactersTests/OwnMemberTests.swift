// Members that a description adds: which value they get, and what becomes of the record's own.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

@Suite("Members of one's own")
struct OwnMemberTests {
    private static func source(_ members: String) throws -> Source {
        try .having(
            #""pagination":{"type":"none"},"members":\#(members),"expand":[{"name":"one","url":"x"}]"#)
    }

    private static func line(_ record: String, _ members: String, steps: [String] = []) throws -> String {
        var mapper = RecordMapper(try source(members))
        let url = try HTTPURL("https://h/")
        let responses = steps.map {
            HTTPResponse(status: 200, headers: HTTPHeaders(), body: Array($0.utf8), redirectChain: [url])
        }
        try mapper.map(Array(record.utf8).span, steps: responses)
        return String(mapper.lines.text.dropFirst(#"{"source":"test""#.count).dropLast())
    }

    @Test(
        arguments: [
            // After the common ones, in the description's order; what was moved isn't repeated.
            (
                #"{"years":"y","name":"n","maker":"m","id":"i"}"#, #"{"i":1,"m":"M","z":0,"y":[1,2],"n":"N"}"#,
                #","id":"1","name":"N","years":[1,2],"maker":"M","z":0"#
            ),
            // JSON of every kind, as it is written.
            (
                #"{"a":"$.v.a","b":"$.v.b","c":"$.v.c","d":"$.v.d","e":"$.v.e"}"#,
                #"{"v":{"a":1.50E+2,"b":"\u00e9\/","c":false,"d":{"x": 1 ,"x":2},"e":0}}"#,
                #","a":1.50E+2,"b":"\u00e9\/","c":false,"d":{"x": 1 ,"x":2},"e":0,"v":{"a":1.50E+2,"b":"\u00e9\/","c":false,"d":{"x": 1 ,"x":2},"e":0}"#
            ),
            // A member of that name in the record gives way, once more if that name is there too.
            (#"{"maker":"$.a.n"}"#, #"{"maker":"?","a":{"n":"N"}}"#, #","maker":"N","_maker":"?","a":{"n":"N"}"#),
            (
                #"{"maker":"$.maker.n"}"#, #"{"maker":{"n":"N"},"_maker":1}"#,
                #","maker":"N","__maker":{"n":"N"},"_maker":1"#
            ),
            // Two that change their names.
            (#"{"a":"b","b":"a"}"#, #"{"a":1,"b":2}"#, #","a":2,"b":1"#),
            // Only the first path moves a member, but for one that has the name already.
            (#"{"t":["x","y"]}"#, #"{"y":1,"x":2}"#, #","t":2,"y":1"#),
            (#"{"t":["x","y"]}"#, #"{"y":1}"#, #","t":1,"y":1"#),
            (#"{"t":["x","t"]}"#, #"{"y":1,"t":2}"#, #","t":2,"y":1"#),
            // A path that finds an empty value gives way to the next one. Where none finds more, it stays.
            (#"{"t":["x","y"]}"#, #"{"x":"","y":"Y"}"#, #","t":"Y","x":"","y":"Y""#),
            (#"{"t":["x","y"]}"#, #"{"x":[ ],"y":0}"#, #","t":0,"x":[ ],"y":0"#),
            (#"{"t":["x","y"]}"#, #"{"x":null,"y":{}}"#, #","t":null,"y":{}"#),
            (#"{"t":"$.x[*].n"}"#, #"{"x":[{"n":" "},{"n":"N"}]}"#, #","t":"N","x":[{"n":" "},{"n":"N"}]"#),
            // What nothing finds isn't there, and the record's own stays where it is.
            (#"{"t":"$.x.y"}"#, #"{"a":1,"t":2}"#, #","a":1,"t":2"#),
            // Composed texts; in a URL each part stays in its place.
            (#"{"t":"{$.a}-{$.b}"}"#, #"{"a":"x y","b":2}"#, #","t":"x y-2","a":"x y","b":2"#),
            (#"{"t":"https://h/{$.a}"}"#, #"{"a":"x y?"}"#, #","t":"https://h/x%20y%3F","a":"x y?""#),
            (
                #"{"t":{"path":"$.v.a","replace":"x","with":"\""}}"#, #"{"v":{"a":"xx"}}"#,
                #","t":"\"x","v":{"a":"xx"}"#
            ),
            // Names with signs of their own.
            (#"{"a\"b":"x"}"#, #"{"x":1}"#, #","a\"b":1"#),
            // Line ends between tokens go.
            (#"{"t":"x"}"#, "{\"x\":[1,\n 2]}", #","t":[1,2]"#),
        ] as [(String, String, String)])
    func `have the value that their first fitting path finds`(
        members: String, record: String, expected: String
    ) throws {
        #expect(try Self.line(record, members) == expected)
    }

    @Test func `may be in the response of a step`() throws {
        let members = #"{"t":{"step":"one","path":"$.a"},"u":{"step":"one","path":"$.b","optional":true}}"#
        #expect(try Self.line(#"{"t":0}"#, members, steps: ["{\"a\":{\n\"b\":1}}"]) == #","t":{"b":1},"_t":0"#)
        #expect(try Self.line(#"{"t":0}"#, members) == #","t":0"#)
    }

    @Test func `are missed if none of 50 records has them`() throws {
        let source = try Self.source(#"{"a":"x","b":{"path":"y","optional":true},"c":["$.z.z","w"]}"#)
        var mapper = RecordMapper(source)
        for _ in 0..<50 { try mapper.map(Array(#"{"x":1}"#.utf8).span) }
        let missing = mapper.presence.missingOwn(of: source)
        #expect(missing.map(\.absence) == ["c: $.z.z and 1 other path are in none"])
    }

    @Test func `are 32 at most`() throws {
        let members = { (count: Int) in "{" + (0..<count).map { "\"m\($0)\":\"x\"" }.joined(separator: ",") + "}" }
        let all = try Self.source(members(32)).ownMembers
        #expect(all.count == 32 && MemberPresence.bit(ofOwn: 31) < 1 << 40)
        let text =
            #"{"name":"t","baseURL":"https://h","records":"$","pagination":{"type":"none"},"members":\#(members(33))}"#
        #expect(Source.mistakes(text) == ["$.members: takes 32 members besides the common ones, not 33"])
    }

    /// Whatever members records have and descriptions add: the described ones come first, and no value or name is lost.
    @Test func `lose no value and repeat no name`() throws {
        var random = SplitMix64(seed: 7)
        let names = ["a", "b", "c", "_a", "__a", "_b", "x"]
        for _ in 0..<2000 {
            var own: [(name: String, path: String)] = []
            for name in ["a", "b", "c", "x"].shuffled(using: &random).prefix(3) {
                own.append((name: name, path: random.pick(names)))
            }
            let had = Array(names.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)))
            let values = had.indices.map { $0 + 10 }
            let members = own.map { "\"\($0.name)\":\"\($0.path)\"" }.joined(separator: ",")
            let record = zip(had, values).map { "\"\($0)\":\($1)" }.joined(separator: ",")
            let line = try Self.line("{\(record)}", "{\(members)}")
            let json = Array("{\(line.dropFirst())}".utf8)
            guard case .object(let found) = try JSONTree.read(json.span) else {
                Issue.record("\(line)")
                continue
            }
            let placed = own.filter { had.contains($0.path) }
            #expect(found.prefix(placed.count).map(\.name) == placed.map(\.name), "\(members) \(record) \(line)")
            #expect(Set(found.map(\.name)).count == found.count, "\(members) \(record) \(line)")
            #expect(Set(found.compactMap(\.value.integer)) == Set(values), "\(members) \(record) \(line)")
        }
    }
}
