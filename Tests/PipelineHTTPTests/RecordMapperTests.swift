// Records of the API and the lines that they become.

import PipelineCore
import PipelineHTTP
import Testing

struct RecordMapperTests {
    func line(_ record: String, raw: Bool = false, page: Int? = nil) throws -> String {
        var mapper = RecordMapper(.disney, isRaw: raw, addsPage: page != nil)
        try mapper.map(Array(record.utf8).span, page: page)
        return String(decoding: mapper.line, as: UTF8.self)
    }

    @Test(
        arguments: [
            // Common members first, the others in their order, none twice.
            (
                #"{"_id":6,"films":["X"],"name":"M","imageUrl":"i","url":"u","__v":0}"#,
                #"{"source":"disney","id":"6","name":"M","imageURL":"i","pageURL":"u","films":["X"],"__v":0}"#
            ),
            // The first path that gives a text wins, and the other members stay.
            (
                #"{"_id":"7","sourceUrl":"s","url":"u","name":"N"}"#,
                #"{"source":"disney","id":"7","name":"N","pageURL":"s","url":"u"}"#
            ),
            (
                #"{"_id":7,"sourceUrl":"","url":"u"}"#,
                #"{"source":"disney","id":"7","pageURL":"u","sourceUrl":""}"#
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
                #"{"source":"disney","id":"1","pageURL":"u","_id":2,"_source":"s","_pageURL":"p","description":"d"}"#
            ),
            (#"{"source":1,"_source":2}"#, #"{"source":"disney","__source":1,"_source":2}"#),
            (#"{"name":"a","name":"b"}"#, #"{"source":"disney","name":"b","_name":"a"}"#),
            (#"{"_id":12345678901234567890}"#, #"{"source":"disney","id":"12345678901234567890"}"#),
            ("{}", #"{"source":"disney"}"#),
            (
                "{\n  \"_id\": 1,\r\n  \"a\": {\n    \"b\": [1,\n 2]\n  }\n}",
                #"{"source":"disney","id":"1","a":{"b": [1,2]}}"#
            ),
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
}
