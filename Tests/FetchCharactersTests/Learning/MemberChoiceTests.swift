// Which members are the common ones, by their values and their names.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("The choice of members")
struct MemberChoiceTests {
    /// The paths chosen for id, name, description, imageURL and pageURL; a dash for none.
    private static func chosen(_ records: [String]) throws -> [String] {
        var choice = MemberChoice(origin: "https://api.h")
        for record in records { choice.add(try JSONTree.shape(of: Array(record.utf8).span)) }
        return Source.CommonName.allCases.map { name in choice.path(of: name).map(MemberChoice.text) ?? "-" }
    }

    /// Records made of a template, in which `N` is the number of each.
    private static func chosen(_ template: String, count: Int = 6) throws -> [String] {
        try chosen((1...count).map { template.replacing("N", with: "\($0)") })
    }

    @Test(arguments: [
        (
            #"{"id":N,"name":"a N","description":"d N","image":"https://i/N.png","url":"https://h/N"}"#,
            ["id", "name", "description", "image", "url"]
        ),
        (
            #"{"_id":N,"title":"a N","summary":"d N","poster":{"large":"https://i/N"},"html_url":"https://h/N"}"#,
            ["_id", "title", "summary", "poster.large", "html_url"]
        ),
        (
            #"{"id":"N","attributes":{"name":"a N","image":"/i/N.png"},"links":{"self":"https://api.h/N"}}"#,
            ["id", "attributes.name", "-", "attributes.image", "-"]
        ),
        (
            #"{"objectID":N,"title":["t N"],"images":[{"url":"https://i/N"}]}"#,
            ["objectID", "title[0]", "-", "images[0].url", "-"]
        ),
        (#"{"mal_id":N,"name":{"full":"a N","native":"b N"}}"#, ["mal_id", "name.full", "-", "-", "-"]),
        (#"{"id":N,"title":{"rendered":"a N"}}"#, ["id", "title.rendered", "-", "-", "-"]),
        (#"{"sys":{"id":"x N"},"fields":{"title":"a N"}}"#, ["sys.id", "fields.title", "-", "-", "-"]),
        (#"{"_id":"x N","_source":{"name":"a N"}}"#, ["_id", "_source.name", "-", "-", "-"]),
        (#"{"data":{"id":"1_N","name":"t3_N","title":"a N"}}"#, ["data.id", "data.title", "-", "-", "-"]),
        (
            #"{"added":N,"by":{"id":"N"},"track":{"id":"N","name":"a N"}}"#,
            ["track.id", "track.name", "-", "-", "-"]
        ),
        (#"{"login":"N-a","shop_key":"x N"}"#, ["shop_key", "login", "-", "-", "-"]),
        (#"{"sid":"x N","pageid":N}"#, ["sid", "-", "-", "-", "-"]),
        (#"{"id":"x N","snippet":{"title":"a N"}}"#, ["id", "snippet.title", "-", "-", "-"]),
        (#"{"name":"a N","url":"https://api.h/things/N/"}"#, ["url", "name", "-", "-", "-"]),
        (#"{"_id":"x N","id":N}"#, ["id", "-", "-", "-", "-"]),
        (#"{"artistName":"a N","trackName":"b N"}"#, ["-", "-", "-", "-", "-"]),
        (#"{"systemNumber":N,"accessionNumber":"x N"}"#, ["-", "-", "-", "-", "-"]),
        (
            #"{"id":1,"name":"the same","description":"the same","url":"https://h/same"}"#,
            ["-", "-", "-", "-", "-"]
        ),
        (#"{"my name":"a N","id":{"value":N}}"#, ["-", "$['my name']", "-", "-", "-"]),
        (#"{"name":"pN.png","size":7}"#, ["-", "name", "-", "name", "-"]),
        (#"{"id":N,"name":N}"#, ["id", "-", "-", "-", "-"]),
        (#"{"id":N,"link":"https://h/N.json","icon":"N"}"#, ["id", "-", "-", "-", "-"]),
    ])
    func `goes by kinds of values first and by names second`(_ template: String, _ paths: [String]) throws {
        #expect(try Self.chosen(template) == paths)
    }

    @Test func `takes no id that a record lacks, or that two have`() throws {
        #expect(try Self.chosen([#"{"id":1}"#, #"{"id":null}"#])[0] == "-")
        #expect(try Self.chosen([#"{"id":1}"#, #"{"id":1}"#])[0] == "-")
        #expect(try Self.chosen([#"{"id":""}"#, #"{"id":"1"}"#])[0] == "-")
        // Of few records the end of a name says little.
        #expect(try Self.chosen(#"{"cardId":N}"#, count: 3)[0] == "-")
        var uncounted = MemberChoice(origin: "https://api.h", isCounted: false)
        for number in 1...40 {
            #expect(uncounted.path(of: .id) == nil)
            uncounted.add(try JSONTree.shape(of: Array(#"{"trackId":\#(number),"artistId":7}"#.utf8).span))
        }
        #expect(uncounted.path(of: .id) == [.name("trackId")])
    }

    @Test func `tells records apart by their ids, or by all of their text`() throws {
        let keys: (String, [JSONTree.Step]?) throws -> RecordKeys = { text, id in
            var outline = RecordOutline()
            let bytes = Array(text.utf8)
            let isRead = outline.read(bytes.span, at: [])
            #expect(isRead)
            return RecordKeys(outline.records, in: bytes.span, id: id)
        }
        let first = try keys(#"[{"id":1,"n":0},{"id":2,"n":0},{"id":3,"n":0}]"#, [.name("id")])
        let second = try keys(#"[{"id":3,"n":1},{"id":4,"n":1}]"#, [.name("id")])
        #expect(second.fresh(beside: first) == 1 && !second.isSame(as: first))
        #expect(RecordKeys(first.reversed()).isSame(as: first))
        #expect(try keys(#"[{"id":1,"n":9},{"id":2,"n":9},{"id":3,"n":9}]"#, [.name("id")]) == first)
        #expect(try keys(#"[{"id":3,"n":1}]"#, nil).fresh(beside: keys(#"[{"id":3,"n":0}]"#, nil)) == 1)
        #expect(try keys("[]", nil).fresh(beside: first) == 0)
    }
}
