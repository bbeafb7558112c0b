// Paths that find nothing, and what the records have in their place.

import PipelineCore
import TestSupport
import Testing

@Suite struct UnmatchedPathsTests {
    private static func paths(_ texts: [String]) throws -> [JSONPath] { try texts.map { try JSONPath($0) } }

    /// What is said of a path after these records, which are looked at one by one or passed over.
    private func message(
        _ path: String, _ wanted: Set<JSONNode.Kind>, _ lines: [String], passes: Bool
    ) throws -> String? {
        let path = try JSONPath(path)
        var watch = UnmatchedPaths([(path, wanted)])
        for (index, line) in lines.enumerated() where !passes || index == 0 { watch.look(Array(line.utf8).span) }
        if passes {
            let block = Array(lines.dropFirst().map { $0 + "\n" }.joined().utf8)
            watch.look(passedOver: block.span)
        }
        return watch.take().message(0, path)?.description
    }

    private static let disney = [
        #"{"id":"1","name":"Mick","image":{"url":"x"},"films":[],"n":null}"#,
        #"{"id":"2","name":"Ann","image":{"url":"y","width":3},"rare":1}"#,
        #"{"id":"3","name":"naem"}"#,
    ]

    static let cases: [(path: String, wanted: Set<JSONNode.Kind>, message: String?)] = [
        ("name", .anything, nil), ("rare", .anything, nil), ("image.width", .anything, nil), ("$", .anything, nil),
        ("films", .texts, nil), ("image.url", [.string], nil), ("$..width", .anything, nil),
        (
            "naem", .anything,
            "none of 3 records has naem; did you mean name? they have id, name, image, films, n, rare"
        ),
        (
            "Name", .anything,
            "none of 3 records has Name; did you mean name? they have id, name, image, films, n, rare"
        ),
        ("zzzzz", .anything, "none of 3 records has zzzzz; they have id, name, image, films, n, rare"),
        ("image.ulr", .anything, "none of 3 records has image.ulr; did you mean image.url? image has url, width"),
        (
            "imgae.url", .anything,
            "none of 3 records has imgae.url; did you mean image.url? they have id, name, image, films, n, rare"
        ),
        ("films[0]", .anything, "none of 3 records has films[0]; they have id, name, image, films, n, rare"),
        (
            "films.name", .anything,
            "none of 3 records has films.name; films is an array; films[*] names its elements"
        ),
        ("id.x", .anything, "none of 3 records has id.x; id is a string"),
        ("id", [.number], "id is a string in all 3 records"),
        ("image", [.string], "image is an object in all 2 records that have it"),
        ("films", [.string], "films is an array in the one record that has it"),
        ("rare", .texts, "rare is a number in the one record that has it"),
        ("n", [.string], "n is null in the one record that has it"),
    ]

    @Test(arguments: cases)
    func `a path that finds nothing is told with what there is`(
        path: String, wanted: Set<JSONNode.Kind>, message: String?
    ) throws {
        #expect(try self.message(path, wanted, Self.disney, passes: false) == message)
        #expect(try self.message(path, wanted, Self.disney, passes: true) == message)
    }

    @Test func `nothing is said of an empty input, and of one record as of one`() throws {
        #expect(try message("x", .anything, [], passes: false) == nil)
        #expect(try message("x", .anything, ["{}"], passes: false) == "the one record lacks x; it has no members")
        #expect(try message("id", [.number], [#"{"id":"1"}"#], passes: false) == "id is a string in the one record")
    }

    @Test func `a name that is spelt with escapes is found, and one in a text is not`() throws {
        let lines = [#"{"a":1}"#, #"{"b":"\"x\""}"#, #"{"\u0078":1}"#]
        #expect(try message("x", .anything, lines, passes: true) == nil)
        #expect(
            try message("x", .anything, Array(lines.prefix(2)), passes: true)?.hasPrefix("none of 2 records has x")
                == true)
        // A line that isn't a record has no members.
        #expect(
            try message("x", .anything, [#"{"a":1}"#, #"{"x":1"#], passes: true)?.hasPrefix(
                "the one record lacks x") == true)
    }

    @Test func `of many members a dozen are named, and none that is a text`() throws {
        let names = (0..<20).map { "m\($0)" }
        let line = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(
            try message("x", .anything, [line], passes: false)
                == "the one record lacks x; it has \(names.prefix(12).joined(separator: ", ")), …")
        let long = String(repeating: "y", count: 100)
        #expect(
            try message("x", .anything, ["{\"\(long)\":1,\"a\":1}"], passes: false)
                == "the one record lacks x; it has a, …")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `parts that are joined say what one run says`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lines = (0..<300).map { _ in
            "{"
                + ["a", "b", "naem"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                .map { "\"\($0)\":\(["1", "\"t\"", "null"].randomElement(using: &random) ?? "")" }.joined(
                    separator: ",") + "}"
        }
        let paths = try Self.paths(["a", "b", "naem", "name", "c.d"])
        let watched = paths.map { ($0, Set<JSONNode.Kind>([.boolean])) }
        var single = UnmatchedPaths(watched)
        for line in lines { single.look(Array(line.utf8).span) }
        let whole = single.take()
        var first = UnmatchedPaths(watched)
        var second = UnmatchedPaths(watched)
        var joined = UnmatchedPaths.Findings()
        for (number, start) in stride(from: 0, to: 300, by: 30).enumerated() {
            let part = lines[start..<start + 30]
            if number % 2 == 0 {
                for line in part { first.look(Array(line.utf8).span) }
                joined.add(first.take())
            } else {
                second.look(passedOver: Array(part.map { $0 + "\n" }.joined().utf8).span)
                joined.add(second.take())
            }
        }
        for (index, path) in paths.enumerated() {
            let (left, right) = (whole.message(index, path), joined.message(index, path))
            #expect(left?.what == right?.what)
        }
    }

    @Test func `of the lines that are passed over the first ones are looked at`() throws {
        let path = try JSONPath("x")
        var watch = UnmatchedPaths([(path, .anything)])
        let line = Array((#"{"deep":{"x":1},"y":""# + String(repeating: "y", count: 1000) + "\"}\n").utf8)
        let block = Array(repeatElement(line, count: 1000).joined())
        for _ in 0..<10 { watch.look(passedOver: block.span) }
        #expect(watch.take().message(0, path) == "none of the records checked has x; they have deep, y")
    }

    @Test(arguments: [
        (#"{"imageURL":["x"]}"#, "imageURL is an array; imageURL[*] names its elements"),
        (#"{"imageURL":{"a":"x","b":1}}"#, "imageURL has a, b"),
        (#"{"imagesURL":"x"}"#, "did you mean imagesURL? it has imagesURL"),
        (#"{"images":[{"url":"x"}]}"#, "did you mean images[*].url? it has images"),
        (#"{"id":1,"parts":[{"url":"x"},{"url":"y"}]}"#, "it has id, parts"),
        (#"{"parts":[{"url":"x"},{"url":"y"}]}"#, "parts has 2 records, which jq -c '.parts[]' prints as lines"),
        (#"{"imageURL":null}"#, nil), (#"{"x":1}"#, "it has x"),
    ])
    func `of several paths one that is there says most`(record: String, advice: String?) throws {
        var sample = RecordSample()
        sample.add(Array(record.utf8).span)
        let paths = try ["imageURL", "imageUrl", "image.url", "image"].map { try JSONPath($0) }
        #expect(sample.advice(for: paths, isOne: true) == advice)
    }

    @Test(arguments: [(0, "0"), (12, "12"), (123, "123"), (1234, "1,234"), (-1_234_567, "-1,234,567")])
    func `thousands are set apart`(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}
