// Descriptions read, and their mistakes named with their places.

import Foundation
import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct SourceDescriptionTests {
    func mistakes(_ text: String) -> [String] {
        do {
            _ = try Source(description: Array(text.utf8).span)
            return []
        } catch {
            switch error {
            case .mistakes(let mistakes): return mistakes
            case .syntax(let error, let line, let column): return ["\(line):\(column): \(error)"]
            }
        }
    }

    @Test(arguments: BuiltInSource.all.map(\.name)) func `the built-in descriptions have no mistake`(name: String)
        throws
    {
        #expect(try Source.named(name).name == name)
    }

    @Test func `every built-in description has its line`() throws {
        let checkout = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: checkout + "/Sources/fetch-characters/BuiltIn")
        #expect(files.sorted() == BuiltInSource.all.map { "\($0.name).json" }.sorted())
    }

    @Test func `a description says what a source is`() throws {
        let source = try Source.named("disney")
        #expect(source.baseURL == "https://api.disneyapi.dev" && source.path == "/character")
        #expect(
            source.headers == [Source.Parameter("Accept", "application/json")] && source.item == "/character/{id}")
        #expect(source.rate == Rate("5/second") && source.search?.escape == .regex && source.keys.isEmpty)
        #expect(source.members.map(\.name) == [.id, .name, .imageURL, .pageURL])
        #expect(source.members.last?.locations.map(\.place.text) == ["sourceUrl", "url"])
    }

    @Test func `the shortest description has four members`() throws {
        let text = #"{"name":"x","baseURL":"http://h","records":"$","pagination":{"type":"none"}}"#
        #expect(mistakes(text) == [])
    }

    @Test(arguments: [
        (
            #""pagination":{"type":"page","parameter":"p","size":{"parameter":"p","value":5}}"#,
            ["$.pagination.size.parameter: is the parameter of $.pagination.parameter too; each needs its own"]
        ),
        (
            #""pagination":{"type":"offset","parameter":"p"},"search":{"parameter":"p"},"members":{"name":"n"},"key":{"query":"p","env":"K"}"#,
            [
                "$.search.parameter: is the parameter of $.pagination.parameter too; each needs its own",
                "$.key.query: is the parameter of $.pagination.parameter too; each needs its own",
            ]
        ),
        (
            #""pagination":{"type":"next-url","next":"n","size":{"parameter":"s","value":5}},"each":{"parameter":"s"}"#,
            ["$.each.parameter: is the parameter of $.pagination.size.parameter too; each needs its own"]
        ),
        (
            #""pagination":{"type":"none"},"search":{"parameter":"q"},"members":{"name":"n"},"each":{"parameter":"q"}"#,
            []
        ),
        (
            #""pagination":{"type":"none"},"search":{"parameter":"q"}"#,
            ["$.search: needs $.members.name, which is searched again in what the API finds"]
        ),
    ])
    func `no two values go to one parameter`(members: String, found: [String]) {
        #expect(mistakes("{\"name\":\"x\",\"baseURL\":\"http://h\",\"records\":\"$\",\(members)}") == found)
    }

    /// A description that is right but for these members.
    static let usual = #""name":"x","baseURL":"http://h","records":"$","pagination":{"type":"none"}"#

    static let table: [(members: String, mistakes: [String])] = [
        (#""rate":"5""#, ["$.rate: '5' isn't a rate; write 5/second, 30/minute or 1000/hour"]),
        (#""heders":{}"#, ["$.heders: is not known; did you mean headers?"]),
        (#""path":"list""#, ["$.path: takes a path that begins with / and has no fragment"]),
        (#""path":1"#, ["$.path: takes a text, not an integer"]),
        (#""headers":{"a b":"c"}"#, ["$.headers['a b']: can't be sent as a header"]),
        (
            #""headers":{"content-length":"5"}"#,
            ["$.headers['content-length']: is set by the client itself; leave it out"]
        ),
        (#""key":{"header":"te","env":"K"}"#, ["$.key.header: names a header that the client sets itself"]),
        (#""headers":{"a":null}"#, ["$.headers.a: takes a text, an integer, true or false, not null"]),
        (#""headers":{"a":"b\n"}"#, ["$.headers.a: can't be sent as a header"]),
        (#""query":[]"#, ["$.query: takes an object, not an array"]),
        (#""item":"/x""#, ["$.item: takes a path that has {id} once"]), (#""item":"""#, ["$.item: is empty"]),
        (
            #""search":{"escape":"x"}"#,
            [
                "$.search.parameter: is missing", "$.search.escape: 'x' is not known; use one of none, regex",
            ]
        ),
        (
            #""key":{"env":"A B"}"#,
            [
                "$.key.env: 'A B' isn't the name of an environment variable",
                "$.key: takes one of query, header, body, form, basic",
            ]
        ),
        (
            #""key":{"header":"a","query":"b","env":"C"}"#,
            ["$.key: takes one of query, header, body, form, basic"]
        ),
        (#""key":{"header":"a","env":"C","required":"yes"}"#, ["$.key.required: takes true or false, not a text"]),
        (#""members":{"nmae":"x"}"#, ["$.members.nmae: is not known; did you mean name?"]),
        (#""members":{"id":[]}"#, ["$.members.id: is empty; it takes at least one element"]),
        (
            #""members":{"id":["a",7]}"#,
            [
                "$.members.id[1]: takes a path or an object, not an integer"
            ]
        ),
        (#""members":{"id":{"step":"s","path":"x"}}"#, ["$.members.id.step: 's' isn't a step of $.expand"]),
        (#""members":{"id":{"path":"x","replace":"a"}}"#, ["$.members.id: takes replace and with together"]),
        (#""members":{"name":"a{$.b}c"}"#, []),
        (#""members":{"name":"a{$.b"}"#, ["$.members.name: '{$.b' needs a } after the path"]),
        (
            #""members":{"id":{"path":"{$.a[}","optional":1}}"#,
            [
                "$.members.id.path: '$.a[}': the path is wrong at character 5: expected a quoted name, an index, a slice, '*' or '?'",
                "$.members.id.optional: takes true or false, not an integer",
            ]
        ),
        (#""expand":{}"#, ["$.expand: takes an array, not an object"]),
        (
            #""expand":[{"name":"a","url":"x"},{"name":"a","url":"x"}]"#,
            [
                "$.expand[1].name: is that of an earlier step"
            ]
        ),
        (
            #""expand":[{"name":"a","url":"x","origins":["h"]}]"#,
            [
                "$.expand[0].origins[0]: takes a URL of http or https"
            ]
        ),
        (#""each":{}"#, ["$.each.parameter: is missing"]), (#""name":"y""#, ["$.name: occurs twice"]),
        (
            #""format":"csv","errors":1,"busy":"$[","absent":{}"#,
            [
                "$.format: 'csv' is not known; use one of json, lines", "$.errors: takes a path, not an integer",
                "$.busy: '$[': the path is wrong at character 3: expected a quoted name, an index, a slice, '*' or '?'",
                "$.absent: takes an array, not an object",
            ]
        ),
        (
            #""absent":[404,200,"x"]"#,
            ["$.absent[1]: takes an integer from 400 to 499", "$.absent[2]: takes an integer from 400 to 499"]
        ),
        (#""absent":[]"#, ["$.absent: is empty; it takes at least one element"]),
        (#""absent":[400,499],"format":"lines""#, []),
    ]

    @Test(arguments: table) func `a mistake is named with its place`(members: String, mistakes: [String]) {
        #expect(self.mistakes("{\(Self.usual),\(members)}") == mistakes)
    }

    static let paginations: [(text: String, mistakes: [String])] = [
        (
            #"{"type":"pages"}"#,
            [
                "$.pagination.type: 'pages' is not known; use one of none, page, offset, cursor, next-url, link-header"
            ]
        ),
        ("{}", ["$.pagination.type: is missing"]), (#"{"type":"page"}"#, ["$.pagination.parameter: is missing"]),
        (
            #"{"type":"page","parameter":"p","first":-1}"#,
            ["$.pagination.first: takes an integer from 0 to 1000000"]
        ),
        (
            #"{"type":"page","parameter":"p","next":"x"}"#,
            [
                "$.pagination.next: is not known; known are type, parameter, first, size, total, pages, more, end, last, later"
            ]
        ),
        (#"{"type":"cursor","parameter":"p"}"#, ["$.pagination.next: is missing"]),
        (
            #"{"type":"none","size":{"parameter":"n","value":1}}"#,
            [
                "$.pagination.size: is not known; known are type, total"
            ]
        ),
        (
            #"{"type":"link-header","size":{"value":0}}"#,
            [
                "$.pagination.size.parameter: is missing",
                "$.pagination.size.value: takes an integer from 1 to 1000000",
            ]
        ),
        (
            #"{"type":"link-header","total":{}}"#,
            [
                "$.pagination.total: takes one of path, header"
            ]
        ),
        (
            #"{"type":"link-header","total":{"path":"x"},"pages":{"path":"x"}}"#,
            [
                "$.pagination: takes total or pages, not both"
            ]
        ),
        (
            #"{"type":"page","parameter":"p","size":{"parameter":"n","value":101,"max":100}}"#,
            ["$.pagination.size.value: is more than max, 100"]
        ),
        (
            #"{"type":"page","parameter":"p","size":{"parameter":"n","value":1000000,"max":1000001}}"#,
            ["$.pagination.size.max: takes an integer from 1 to 1000000"]
        ),
        (
            #"{"type":"page","parameter":"p","more":1,"last":0,"end":[]}"#,
            [
                "$.pagination.more: takes a path, not an integer",
                "$.pagination.end: is empty; it takes at least one element",
                "$.pagination.last: takes an integer from 1 to 1000000",
            ]
        ),
        (
            #"{"type":"offset","parameter":"p","end":["empty","same-cursor",1]}"#,
            [
                "$.pagination.end[0]: 'empty' is not known; use one of empty-page, not-found",
                "$.pagination.end[1]: 'same-cursor' is not known; use one of empty-page, not-found",
                "$.pagination.end[2]: takes a text or an object, not an integer",
            ]
        ),
        (
            #"{"type":"none","more":"m","end":["empty-page"],"last":3}"#,
            ["more", "end", "last"].map { "$.pagination.\($0): is not known; known are type, total" }
        ),
        (
            #"{"type":"cursor","parameter":"p","next":{"values":{"a":"b"}}}"#,
            ["$.pagination.parameter: has no place where next has values, which name their parameters"]
        ),
        (
            #"{"type":"cursor","next":{"values":{}}}"#,
            ["$.pagination.next.values: is empty; it takes at least one member"]
        ),
        (
            #"{"type":"cursor","next":{"values":{"a":1,"b":"$["},"x":1}}"#,
            [
                "$.pagination.next.x: is not known; known are values",
                "$.pagination.next.values.a: takes a path, not an integer",
                "$.pagination.next.values.b: '$[': the path is wrong at character 3: expected a quoted name, an index, a slice, "
                    + "'*' or '?'",
            ]
        ),
        (
            #"{"type":"cursor","next":{"values":{"a":"x","b":"y"}},"size":{"parameter":"b","value":5}}"#,
            [
                "$.pagination.size.parameter: is the parameter of $.pagination.next.values.b too; each needs its own"
            ]
        ),
        (
            #"{"type":"cursor","parameter":"p","next":{}}"#,
            ["$.pagination.next: takes one of path, header"]
        ),
        (
            #"{"type":"next-url","next":{"values":{"a":"b"}}}"#,
            [
                "$.pagination.next.values: is not known; known are path, header",
                "$.pagination.next: takes one of path, header",
            ]
        ),
        (#"{"type":"next-url","next":{"header":"X-Next"},"end":["not-found","empty-page"],"last":9}"#, []),
        (#"{"type":"cursor","parameter":"c","next":{"header":"X"},"end":["same-cursor"],"more":"$.m"}"#, []),
        (#"{"type":"cursor","next":{"values":{"a":"$.a"}},"size":{"parameter":"n","value":1000000}}"#, []),
        (
            #"{"type":"next-url","next":"$["}"#,
            [
                "$.pagination.next: '$[': the path is wrong at character 3: expected a quoted name, an index, a slice, '*' or '?'"
            ]
        ),
    ]

    @Test(arguments: paginations) func `mistakes of the pagination`(text: String, mistakes: [String]) {
        let text = #"{"name":"x","baseURL":"http://h","records":"$","pagination":\#(text)}"#
        #expect(self.mistakes(text) == mistakes)
    }

    static let records: [(text: String, mistakes: [String])] = [
        (#""records":{"path":"$.c","key":"id"}"#, []), (#""records":"$","format":"lines""#, []),
        (#""format":"lines""#, []), (#""format":"json""#, ["$.records: is missing"]),
        (#""records":{"key":"id"}"#, ["$.records.path: is missing"]),
        (#""records":{"path":"$"}"#, ["$.records.key: is missing"]),
        (
            #""records":{"path":"$","key":"","keys":"id"}"#,
            [
                "$.records.keys: is not known; did you mean key?", "$.records.key: is empty",
            ]
        ),
        (#""records":["$"]"#, ["$.records: takes a path or an object, not an array"]),
        (
            #""records":"$.data","format":"lines""#,
            [
                "$.records: takes $ where the format is lines: each line is a record"
            ]
        ),
        (
            #""records":{"path":"$","key":"id"},"format":"lines""#,
            [
                "$.records: takes $ where the format is lines: each line is a record"
            ]
        ),
    ]

    @Test(arguments: records) func `mistakes of the records`(text: String, mistakes: [String]) {
        #expect(
            self.mistakes(#"{"name":"x","baseURL":"http://h","pagination":{"type":"none"},\#(text)}"#) == mistakes)
    }

    @Test(arguments: [
        (
            #"{"type":"cursor","parameter":"c","next":"n"}"#,
            ["$.pagination.next: has no place in a response of lines; a header has"]
        ),
        (
            #"{"type":"page","parameter":"p","pages":{"path":"n"}}"#,
            ["$.pagination.pages: has no place in a response of lines; a header has"]
        ),
        (#"{"type":"offset","parameter":"p","total":{"header":"X-Total"}}"#, []), (#"{"type":"link-header"}"#, []),
    ])
    func `an answer of lines says nothing about its list`(pagination: String, mistakes: [String]) {
        let text = #"{"name":"x","baseURL":"http://h","format":"lines","pagination":\#(pagination)}"#
        #expect(self.mistakes(text) == mistakes)
    }

    @Test func `all mistakes are named`() {
        #expect(
            mistakes(#"{"name":"","baseURL":"h","records":"a b","pagination":[]}"#) == [
                "$.name: is empty", "$.baseURL: 'h' is no URL of http or https",
                "$.records: 'a b': the path is wrong at character 2: expected '.', '[' or the end of the path; a name with other "
                    + "characters is written ['my-name']",
                "$.pagination: takes an object, not an array",
            ])
        #expect(
            mistakes("{}") == ["name", "records", "pagination"].map { "$.\($0): is missing" })
        #expect(mistakes("[]") == ["$: takes an object, not an array"])
    }

    @Test(arguments: [
        ("", "1:1: expected a value"), ("{\n  \"name\" 1}", "2:10: expected ':' after a member name"),
        ("{}\n{}", "2:1: expected the end of the line after the record"),
    ])
    func `what isn't JSON is named by line and column`(text: String, fault: String) {
        #expect(mistakes(text) == [fault])
    }
}
