// The URLs that a source is asked with.

import PipelineCore
import PipelineHTTP
import Testing

struct SourceURLTests {
    @Test(arguments: [
        ("http://h", "", "http://h/character?page=2&pageSize=50"),
        ("http://h/", "", "http://h/character?page=2&pageSize=50"),
        ("http://h/mirror/", "x", "http://h/mirror/character?page=2&pageSize=50&name=x"),
        ("http://h", "Mr. (X)", #"http://h/character?page=2&pageSize=50&name=Mr%5C.%20%5C%28X%5C%29"#),
        ("http://h", "ü&=", "http://h/character?page=2&pageSize=50&name=%C3%BC%26%3D"),
    ])
    func `every page has every parameter`(base: String, search: String, expected: String) throws {
        #expect(try SourceURL(.disney, base: base, search: search).page(2, size: 50).text == expected)
    }

    @Test func `the user's parameters come last, escaped`() throws {
        let urls = try SourceURL(.disney, parameters: [SourceURL.Parameter("a b", "c+d")])
        #expect(
            try urls.page(1, size: 2).text == "https://api.disneyapi.dev/character?page=1&pageSize=2&a%20b=c%2Bd")
    }

    @Test(arguments: [
        ("6", "/character/6"), ("a/b", "/character/a%2Fb"), ("..", "/character/%2E%2E"),
        ("é?#", "/character/%C3%A9%3F%23"),
    ])
    func `an id is one segment of the path`(id: String, path: String) throws {
        let url = try #require(try SourceURL(.disney, base: "http://h").item(id))
        #expect(url.text == "http://h" + path)
    }

    @Test(arguments: ["", "h", "http://h?x", "http://h#x", "ftp://h", "http://h\n"])
    func `a base that can't be asked is refused`(base: String) {
        #expect(throws: HTTPFailure.self) { try SourceURL(.disney, base: base) }
    }
}
