// Records of the API and the lines that they become.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct RecordMapperTests {
    func line(_ record: String, raw: Bool = false, page: Int? = nil) throws -> String {
        var mapper = RecordMapper(try .named("disney"), isRaw: raw, addsPage: page != nil)
        try mapper.map(Array(record.utf8).span, page: page)
        return mapper.lines.text
    }

    @Test(
        arguments: [
            // Common members first, the others in their order, none twice.
            (
                #"{"_id":6,"films":["X"],"name":"M","imageUrl":"i","url":"u","__v":0}"#,
                #"{"source":"disney","id":"6","name":"M","imageURL":"i","pageURL":"u","films":["X"],"url":"u","__v":0}"#
            ),
            // The first path that gives a text wins. Its member moves only if it is the first of the list.
            (
                #"{"_id":"7","sourceUrl":"s","url":"u","name":"N"}"#,
                #"{"source":"disney","id":"7","name":"N","pageURL":"s","url":"u"}"#
            ),
            (
                #"{"_id":7,"sourceUrl":"","url":"u"}"#,
                #"{"source":"disney","id":"7","pageURL":"u","sourceUrl":"","url":"u"}"#
            ),
            // Nothing in four spellings gives no common member, and stays as it is.
            (
                #"{"_id":1,"name":null,"imageUrl":{},"url":[]}"#,
                #"{"source":"disney","id":"1","name":null,"imageUrl":{},"url":[]}"#
            ),
            (#"{"name":" \u00a0"}"#, #"{"source":"disney","name":" \u00a0"}"#),
            // White space at the ends of ids and URLs goes, in names it stays.
            (
                #"{"_id":" -Zf\n","name":" N ","imageUrl":"\u00a0http://x/a b\t"}"#,
                #"{"source":"disney","id":"-Zf","name":" N ","imageURL":"http://x/a b"}"#
            ),
            // Spellings survive: escapes, numbers, spaces, duplicate keys.
            (
                #"{"_id":1, "name" : "B\u00f6rk\/", "n" : 1.50E+2, "n":[ 1 , 2 ],"\u0061":"\ud800"}"#,
                #"{"source":"disney","id":"1","name":"B\u00f6rk\/","n":1.50E+2,"n":[ 1 , 2 ],"\u0061":"\ud800"}"#
            ),
            // A name that a common member has taken gets an underscore.
            (
                #"{"_id":1,"id":2,"source":"s","pageURL":"p","url":"u","description":"d"}"#,
                #"{"source":"disney","id":"1","pageURL":"u","_id":2,"_source":"s","_pageURL":"p","url":"u","description":"d"}"#
            ),
            (#"{"source":1,"_source":2}"#, #"{"source":"disney","__source":1,"_source":2}"#),
            (#"{"name":"a","name":"b"}"#, #"{"source":"disney","name":"b","_name":"a"}"#),
            (#"{"_id":12345678901234567890}"#, #"{"source":"disney","id":"12345678901234567890"}"#),
            ("{}", #"{"source":"disney"}"#),
            (
                "{\n  \"_id\": 1,\r\n  \"a\": {\n    \"b\": [1,\n 2]\n  }\n}",
                #"{"source":"disney","id":"1","a":{"b": [1,2]}}"#
            ),
            ("{\"_id\":1,\r\"a\":[1,\r2]\r}", #"{"source":"disney","id":"1","a":[1,2]}"#),
        ] as [(String, String)])
    func `a record becomes a line`(record: String, expected: String) throws {
        #expect(try line(record) == expected)
    }

    @Test(
        arguments: [
            (#"{ "_id" : 6,  "name":"a  b" }"#, #"{ "_id" : 6,  "name":"a  b" }"#),
            ("{\n\t\"_id\": 6,\r\n  \"a\" :\n[ 1 ] }", "{\"_id\": 6,\"a\" :[ 1 ] }"), ("{}", "{}"),
        ] as [(String, String)])
    func `raw is the API's record but for line ends`(record: String, expected: String) throws {
        #expect(try line(record, raw: true) == expected)
    }

    @Test(
        arguments: [
            (#"{"_id":1,"page":"x"}"#, false, #"{"source":"disney","id":"1","_page":"x","page":3}"#),
            (#"{"_id":1}"#, true, #"{"_id":1,"page":3}"#), ("{}", true, #"{"page":3}"#),
            ("{ }", true, #"{ "page":3}"#),
        ] as [(String, Bool, String)])
    func `the page's number is the last member`(record: String, raw: Bool, expected: String) throws {
        #expect(try line(record, raw: raw, page: 3) == expected)
    }

    // MARK: Paths and steps

    func line(_ record: String, members: String, steps: [String] = []) throws -> String {
        let expand = #""expand":[{"name":"one","url":"x"},{"name":"two","url":"y"}]"#
        let source = try Source.having(#""pagination":{"type":"none"},"members":\#(members),\#(expand)"#)
        var mapper = RecordMapper(source)
        let url = try HTTPURL("https://h/")
        let responses = steps.map {
            HTTPResponse(status: 200, headers: HTTPHeaders(), body: Array($0.utf8), redirectChain: [url])
        }
        try mapper.map(Array(record.utf8).span, steps: responses)
        return mapper.lines.text
    }

    @Test(
        arguments: [
            // A member found deeper leaves its parent as it is.
            (
                #"{"imageURL":"image.url"}"#, #"{"image":{"url":"u","w":1}}"#,
                #"{"source":"test","imageURL":"u","image":{"url":"u","w":1}}"#
            ),
            // Of what a path finds the first text that isn't empty counts, then the next path.
            (#"{"name":"$.a[*].t"}"#, #"{"a":[{"t":""},{"t":["x"]},{"t":"T"}]}"#, nil),
            (#"{"name":["$.b","$.a[*].t"]}"#, #"{"b":null,"a":[{"t":"T"}]}"#, nil),
            (#"{"name":["$.a[?@.l=='en'].t","$.a[?@.l=='nl'].t"]}"#, #"{"a":[{"l":"nl","t":"T"}]}"#, nil),
            (
                #"{"name":["$.a[?@.l=='en'].t","$.a[?@.l=='nl'].t"]}"#, #"{"a":[{"l":"nl"},{"l":"en","t":"T"}]}"#,
                nil
            ),
            // Names and descriptions keep the space around them.
            (#"{"description":"d"}"#, #"{"d":" x "}"#, #"{"source":"test","description":" x "}"#),
            (#"{"name":"n"}"#, #"{"n":" x "}"#, #"{"source":"test","name":" x "}"#),
            // Part of a text can be replaced, once.
            (
                #"{"name":{"path":"n","replace":"/a/","with":"T"}}"#, #"{"n":"/a/"}"#,
                #"{"source":"test","name":"T"}"#
            ),
            (
                #"{"name":{"path":"n","replace":"a","with":"b\"c"}}"#, #"{"n":"xaa"}"#,
                #"{"source":"test","name":"xb\"ca"}"#
            ),
        ] as [(String, String, String?)])
    func `a common member is where its path finds a text`(members: String, record: String, expected: String?) throws
    {
        let usual = #"{"source":"test","name":"T","# + record.dropFirst()
        #expect(try line(record, members: members) == expected ?? usual)
    }

    @Test(
        arguments: [
            ([#"{"u":"U"}"#, #"{"u":"V"}"#], #","imageURL":"https://h/U","pageURL":"https://h/V""#),
            ([#"{"u":"U"}"#], #","imageURL":"https://h/U""#), ([], ""), ([#"{"u":{}}"#, "[]"], ""),
        ] as [([String], String)])
    func `a step that is missing leaves its members out`(steps: [String], expected: String) throws {
        let members = #"{"imageURL":{"step":"one","path":"u"},"pageURL":{"step":"two","path":"$.u"}}"#
        #expect(try line(#"{"u":1}"#, members: members, steps: steps) == #"{"source":"test"\#(expected),"u":1}"#)
    }

    // MARK: Composed and relative texts

    func line(_ record: String, members: String, from url: String) throws -> String {
        var mapper = RecordMapper(try .having(#""pagination":{"type":"none"},"members":{\#(members)}"#))
        mapper.url = try HTTPURL(url)
        try mapper.map(Array(record.utf8).span)
        return mapper.lines.text
    }

    @Test(
        arguments: [
            (#""imageURL":"https://i/{$.a}/{$.b}.jpg""#, #"{"a":"x","b":5}"#, "https://i/x/5.jpg"),
            (#""imageURL":"{$.a}{$['b'].c}""#, #"{"a":"https://","b":{"c":"h"}}"#, "https://h"),
            (#""imageURL":"{$.a}""#, #"{"a":"https://\u0068/\"q"}"#, #"https://h/\"q"#),
            // Of a list the first that has all its parts.
            (#""imageURL":["https://i/{$.a}","https://j/{$.b}"]"#, #"{"a":"","b":1.50}"#, "https://j/1.50"),
            (#""imageURL":["https://i/{$.a}","b"]"#, #"{"a":null,"b":"https://b"}"#, "https://b"),
            (#""imageURL":"https://i/{$.a}""#, #"{"a":["x"]}"#, nil), (#""imageURL":"https://i/{$.a}""#, "{}", nil),
            (
                #""imageURL":{"path":"https://i/{$.a}.jpg","replace":"/T/","with":"/L/"}"#, #"{"a":"T/x"}"#,
                "https://i/L/x.jpg"
            ),
            (#""imageURL":"https://i/{$.a[?@.t=='}'].u}{b}""#, #"{"a":[{"t":"}","u":"U"}]}"#, "https://i/U{b}"),
            // Relative ones count from the answer's URL.
            (#""imageURL":"{$.a}.png""#, #"{"a":"x y"}"#, "https://h:8/p/x%20y.png"),
            (#""imageURL":"a""#, #"{"a":" /x.png "}"#, "https://h:8/x.png"),
            (#""imageURL":"a""#, #"{"a":"../x\/y"}"#, "https://h:8/x/y"),
            (#""imageURL":"a""#, #"{"a":"//i/x"}"#, "https://i/x"),
            // The answer's query may have a key, and isn't passed on.
            (#""imageURL":"a""#, ##"{"a":"#f"}"##, "https://h:8/p/q#f"),
            (#""imageURL":"a""#, #"{"a":"?z"}"#, "https://h:8/p/q?z"),
            (#""imageURL":"a""#, #"{"a":"httpd/x"}"#, "https://h:8/p/httpd/x"),
            // What has a scheme stays as it is.
            (#""imageURL":"a""#, #"{"a":"http://X/a b"}"#, "http://X/a b"),
            (#""imageURL":"a""#, #"{"a":"HTTPS://X"}"#, "HTTPS://X"),
            (#""imageURL":"a""#, #"{"a":"data:,x"}"#, "data:,x"),
            (#""imageURL":"a""#, #"{"a":5}"#, "https://h:8/p/5"),
        ] as [(String, String, String?)])
    func `a picture's URL is composed of parts, and absolute`(members: String, record: String, expected: String?)
        throws
    {
        let line = try line(record, members: members, from: "https://h:8/p/q?key=k")
        let picture = expected.map { ",\"imageURL\":\"\($0)\"" } ?? ""
        #expect(line.hasPrefix(#"{"source":"test"\#(picture)"#), "\(line)")
        #expect(line.contains("\"imageURL\"") == (expected != nil))
    }

    @Test func `a composed name and id are the record's, and other texts stay relative`() throws {
        var mapper = RecordMapper(
            try .having(
                #""pagination":{"type":"none"},"members":{"id":"{$.a}-{$.b}","name":"{$.b} {$.a}","description":"d"}"#
            ))
        mapper.url = try HTTPURL("https://h/")
        try mapper.map(Array(#"{"a":1,"b":"B","d":"x/y"}"#.utf8).span)
        #expect(mapper.id == Array("1-B".utf8) && mapper.name == Array("B 1".utf8))
        #expect(
            mapper.lines.text == #"{"source":"test","id":"1-B","name":"B 1","description":"x/y","a":1,"b":"B"}"#)
    }

    @Test func `the members that no record had are known`() throws {
        let source = try Source.having(
            #""pagination":{"type":"none"},"members":{"id":"id","name":"n","pageURL":{"path":"p","optional":true}}"#
        )
        var mapper = RecordMapper(source)
        #expect(mapper.presence.missing(of: source).isEmpty)
        for record in [#"{"n":"","id":1}"#, "{}"] { try mapper.map(Array(record.utf8).span) }
        #expect(mapper.presence.missing(of: source).map(\.absence) == ["name: $.n is in none"])
        try mapper.map(Array(#"{"n":"N"}"#.utf8).span)
        #expect(mapper.presence.missing(of: source).isEmpty)
    }
}
