// Link headers as RFC 8288 allows them.

import PipelineHTTP
import Testing

@testable import fetch_characters

struct WebLinkTests {
    static let fields: [(fields: [String], next: String?)] = [
        ([#"<https://h/list?page=2>; rel="next""#], "https://h/list?page=2"),
        ([#"<https://h/?page=2>; rel=next"#], "https://h/?page=2"),
        ([#"<a>; rel="prev", <b>; rel="next""#], "b"),
        ([#"<a>; rel="next last""#], "a"), (["<a>; rel=\"last\tNEXT\""], "a"), ([#"<a>; REL=Next"#], "a"),
        ([#"<a>; title="x"; rel="next"; type=text/html"#], "a"), ([#"<a>;rel=next"#], "a"),
        ([#"<a> ; rel = "next""#], "a"), ([#"  ,, <a>; rel=next ,"#], "a"),
        // Commas and semicolons inside brackets and quotes part nothing.
        ([#"<https://h/?a=1,2;3>; rel="next""#], "https://h/?a=1,2;3"),
        ([#"<a>; title="x, <b>; rel=\"next\""; rel=prev, <c>; rel=next"#], "c"),
        ([#"<a>; title="back\\slash"; rel=next"#], "a"),
        ([#"<a>; rel="prev""#, #"<b>; rel="next""#], "b"), ([#"<a>; rel="nextish""#], nil),
        ([#"<a>; rel="next"; anchor="/other""#], nil), ([#"<a>; anchor="/other"; rel="next", <b>; rel=next"#], "b"),
        // The first relation counts.
        ([#"<a>; rel=prev; rel=next"#], nil), ([#"<>; rel=next"#], ""), ([#"<../x?y>; rel=next"#], "../x?y"),
        ([#"<a>; title*=UTF-8''x%20y; rel=next"#], "a"), ([#"<a>; crossorigin; rel=next"#], "a"),
        ([#"<a>;; rel=next"#], "a"), ([""], nil),
        ([#"<a>; rel="next"#], "a"), ([#"<a>; rel=next x"#], "a"), (["<a>", "<b>; rel=next"], "b"),
        ([], nil),
        // Apostrophes are no quotes, and meant as such.
        (["<a>; rel='next'"], "a"), (["<a>; rel='prev', <b>; title='x, y'; rel='next last'"], "b"),
        (["<a>; title*=UTF-8'en'x; rel=next"], "a"),
        // A parameter of a service's own decides nothing.
        ([#"<a>; rel="next"; results="false""#], "a"), ([#"<a>; results="false"; rel="prev""#], nil),
        ([#"<a>; end=true; rel="next"; last="yes""#], "a"),
        // A link that was found is found, whatever else the fields hold.
        (["x", "<b>; rel=next"], "b"),
    ]

    @Test(arguments: fields) func `the next page is the link of that relation`(
        fields: [String], next: String?
    ) throws {
        #expect(try WebLink.next(in: fields) == next)
    }

    @Test(
        arguments: [
            ["x"], ["<a"], ["<"], ["/l?page=2; rel=next"], ["<a>; rel=prev garbage, <b>; rel=next"],
            ["<a>; rel=prev", "<b; rel=next"], ["<a>; rel=\u{201C}next\u{201D}"],
            // Each link has to have a relation.
            ["<a>"], ["<a>; rel"], ["<a>; rel="], [#"<a>; rel="""#], ["<a>; rel:next"], ["<a>; rel='next"],
            ["<a>; title=next"], [#"<a>; rel="prev", <b>"#], ["<a>; rel = '"], ["<a>; re l=next"],
        ])
    func `a field that isn't a list of links may hide one`(fields: [String]) {
        #expect(throws: Page.Fault.self) { try WebLink.next(in: fields) }
    }

    @Test(arguments: [
        ("/l?page=2&n=5", "/l?page=4&n=5", true), ("/l?page=2", "/l?page=2", false),
        ("/l?page=9", "/l?page=10", true),
        ("/l?page=2", "/l?page=1", false), ("/l?after=2", "/l?before=9", false),
        ("/l?a=1&b=1", "/l?a=2&b=2", false),
        ("/l?t=a2b", "/l?t=c3b", false), ("/l?page=2", "", false),
    ])
    func `the last page may be further than the next`(next: String, last: String, isFurther: Bool) {
        #expect(WebLink.namesFurther(in: ["<\(next)>; rel=next, <\(last)>; rel=last"]) == isFurther)
    }

    @Test func `all links of a field are found`() {
        #expect(WebLink.links(in: #"<a>; Rel=next; TITLE="T, t"; x, <b>"#).links.map(\.target) == ["a", "b"])
    }
}
