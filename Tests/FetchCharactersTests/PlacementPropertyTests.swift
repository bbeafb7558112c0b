// Values in their places, over random descriptions: no place has two, a body that is described stays, and what keeps its
// slashes stays in the path.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

@Suite("Values in their places")
struct PlacementPropertyTests {
    private static func mistakes(_ members: [String]) -> [String] {
        let text = #"{"name":"t","baseURL":"https://h","records":"$","method":"POST","members":{"name":"n"},"#
        return Source.mistakes(text + members.joined(separator: ",") + "}")
    }

    /// Members that set a value there, each with where the description says so.
    private static func setters(_ place: String) -> [(location: String, member: String)] {
        [
            (
                "$.pagination.size.parameter",
                #""pagination":{"type":"link-header","size":{"parameter":\#(place),"value":5}}"#
            ),
            ("$.each.parameter", #""each":{"parameter":\#(place)}"#),
            ("$.search.parameter", #""search":{"parameter":\#(place)}"#),
            ("$.since.parameter", #""since":{"parameter":\#(place),"member":"u"}"#),
            ("$.since.until", #""since":{"parameter":"other","until":\#(place),"member":"u"}"#),
            ("$.key", #""key":\#(place.dropLast()),"env":"K"}"#),
        ]
    }

    @Test func `are refused where two have one place, with both`() {
        var random = SplitMix64(seed: 21)
        let kinds = ["query", "header", "body", "form"]
        for _ in 0..<1000 {
            let kind = random.pick(kinds)
            let name = random.pick(["p", "q", "x-y"])
            let place = #"{"\#(kind)":"\#(kind == "body" ? "$['\(name)']" : name)"}"#
            let all = Self.setters(place)
            let first = random.pick(all)
            let second = random.pick(all)
            let isOneMember = first.member.prefix(8) == second.member.prefix(8)
            // The text of a search may be what --each gives.
            let givesWay = Set([first.location, second.location]) == ["$.search.parameter", "$.each.parameter"]
            guard !isOneMember, !givesWay else { continue }
            let hasPagination = [first, second].contains { $0.location.hasPrefix("$.pagination") }
            let body = kind == "form" ? #""form":{}"# : #""body":{}"#
            let others = [body, #""path":"/list""#] + (hasPagination ? [] : [#""pagination":{"type":"none"}"#])
            let found = Self.mistakes([first.member, second.member] + others)
            let isNamed = found.contains { mistake in
                mistake.contains("is the parameter of") && mistake.contains(first.location)
                    && mistake.contains(second.location)
            }
            #expect(isNamed, "\(first.member) \(second.member): \(found)")
        }
    }

    @Test func `are refused where a login has them already, with both`() {
        var random = SplitMix64(seed: 22)
        for _ in 0..<500 {
            let name = random.pick(["p", "q", "x-y"])
            let kind = random.pick(["query", "headers", "form", "body"])
            let place = ["query": "query", "headers": "header", "form": "form", "body": "body"][kind] ?? ""
            let value = kind == "body" ? "$['\(name)']" : name
            let token =
                #"{"url":"https://a","\#(kind)":{"\#(name)":"1"},"key":{"\#(place)":"\#(value)","env":"K"},"token":"t"}"#
            let found = Self.mistakes([
                #""pagination":{"type":"none"}"#, #""path":"/list""#, #""key":{"header":"a"}"#,
                #""token":\#(token)"#,
            ])
            let isNamed = found.contains {
                $0.hasPrefix("$.token.key.\(place): is the parameter of $.token.\(kind)")
            }
            #expect(isNamed, "\(token): \(found)")
        }
    }

    // MARK: Bodies

    private static func tree(_ random: inout SplitMix64, depth: Int) -> JSONTree {
        let names = ["a", "b", "c"].filter { _ in Bool.random(using: &random) }
        switch Int.random(in: 0...(depth == 0 ? 1 : 4), using: &random) {
        case 0: return .integer(Int.random(in: 0...9, using: &random))
        case 1: return Bool.random(using: &random) ? .null : .string("t")
        case 2:
            return .array((0..<Int.random(in: 0...2, using: &random)).map { _ in tree(&random, depth: depth - 1) })
        default: return .object(names.map { ($0, tree(&random, depth: depth - 1)) })
        }
    }

    private static func steps(_ random: inout SplitMix64) -> [JSONLocation.PathStep] {
        [.name(random.pick(["a", "b", "c", "d"]))]
            + (0..<Int.random(in: 0...2, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? .index(Int.random(in: 0...3, using: &random)) : .name(random.pick(["a", "b"]))
            }
    }

    /// Every value of a tree by its path: scalars as they are, objects and arrays by their kind.
    private static func values(_ tree: JSONTree, at path: [JSONLocation.PathStep] = []) -> [[JSONLocation.PathStep]:
        String]
    {
        var values: [[JSONLocation.PathStep]: String] = [:]
        switch tree {
        case .object(let members):
            values[path] = "object"
            for (name, value) in members { values.merge(Self.values(value, at: path + [.name(name)])) { $1 } }
        case .array(let elements):
            values[path] = "array"
            for (index, value) in elements.enumerated() {
                values.merge(Self.values(value, at: path + [.index(index)])) { $1 }
            }
        // Null is where something may be.
        case .null: break
        case .string, .integer, .number, .boolean: values[path] = tree.json
        }
        return values
    }

    private static func nulls(
        _ tree: JSONTree, at path: [JSONLocation.PathStep] = []
    ) -> Set<[JSONLocation.PathStep]> {
        switch tree {
        case .object(let members):
            Set(members.flatMap { nulls($0.value, at: path + [.name($0.name)]) })
        case .array(let elements):
            Set(elements.enumerated().flatMap { nulls($0.element, at: path + [.index($0.offset)]) })
        case .null: [path]
        case .string, .integer, .number, .boolean: []
        }
    }

    @Test func `leave a described body as it is, or are refused by their path`() {
        var random = SplitMix64(seed: 23)
        var counts = (fits: 0, misfits: 0)
        for _ in 0..<4000 {
            let body = JSONTree.object(["a", "b"].map { ($0, Self.tree(&random, depth: 3)) })
            let steps = Self.steps(&random)
            let path = JSONLocation.path(of: steps, style: .rooted)
            let (before, after) = (Self.values(body), Self.values(body.setting(.integer(-7), at: steps[...])))
            let isKept = before.allSatisfy {
                $0.key == steps ? !["object", "array"].contains($0.value) : after[$0.key] == $0.value
            }
            let filled = body.setting(.integer(-7), at: steps[...])
            let hasNewNull = !Self.nulls(filled).isSubset(of: Self.nulls(body))
            let found = Self.mistakes([
                #""path":"/l""#, #""body":\#(body.json)"#,
                #""pagination":{"type":"page","parameter":{"body":\#(JSONTree.string(path).json)}}"#,
            ])
            if isKept, !hasNewNull {
                counts.fits += 1
                #expect(found == [], "\(path) in \(body.json)")
            } else {
                counts.misfits += 1
                #expect(found.count == 1, "\(path) in \(body.json): \(found)")
                #expect(
                    found.first?.hasPrefix("$.pagination.parameter: '\(path)' doesn't fit $.body, which ") == true)
            }
        }
        #expect(counts.fits > 500 && counts.misfits > 500)
    }

    @Test func `keep the JSON of a number in a body, and its digits elsewhere`() throws {
        for (text, value) in [("7", JSONTree.number("7")), ("1.50", .number("1.50")), ("7", .string("7"))] {
            let json = try Source.having(
                #""method":"POST","body":[{"clause":{"v":0}}],"pagination":{"type":"none"},"each":{"parameter":{"body":"$[0].clause.v"}}"#
            )
            let sent = try SourceRequests(json).setting(json.each[0].placement, to: value).page(.start, size: nil)
                .sent
            #expect(sent == "POST /list [{\"clause\":{\"v\":\(value.json)}}]")
            let query = try Source.having(#""pagination":{"type":"none"},"each":{"parameter":"e"}"#)
            let url = try SourceRequests(query).setting(.query("e"), to: value).page(.start, size: nil).sent
            #expect(url == "GET /list?e=\(text)")
        }
    }

    // MARK: Slashes

    @Test func `that keep their slashes stay in their path, whatever they hold`() throws {
        var random = SplitMix64(seed: 24)
        let pieces = [
            "a", "b c", "..", ".", "/", "//", "?x=1", "#f", "%2e%2e", "%2F", "\\", ";p=1", "é", "@", ":", "&", "+",
            "~",
        ]
        let source = try Source.having(
            #""path":"/v1/{+parent}/docs","pagination":{"type":"none"},"each":{"parameter":{"path":"parent"}}"#)
        var refused = 0
        for _ in 0..<5000 {
            let value = (0..<Int.random(in: 0...5, using: &random)).map { _ in random.pick(pieces) }.joined()
            let segments = value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            // Servers may decode once more, take a backslash for a slash, and cut parameters off.
            let names = HTTPURL.percentDecoded(value).split { "/\\".contains($0) }.map { $0.prefix { $0 != ";" } }
            let isHostile = segments.contains("") || names.contains { [".", ".."].contains($0) }
            let requests = try SourceRequests(source).setting(.path("parent"), to: value)
            do throws(HTTPFailure) {
                let url = try requests.page(.start, size: nil).url.text
                #expect(!isHostile, "\(value): \(url)")
                let rest = url.dropFirst("https://h".count)
                #expect(!rest.contains("?") && !rest.contains("#"), "\(url)")
                let found = rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                #expect(found.map { HTTPURL.percentDecoded(String($0)) } == ["v1"] + segments + ["docs"], "\(url)")
            } catch {
                refused += 1
                #expect(isHostile, "\(value): \(error)")
            }
        }
        #expect(refused > 500 && refused < 4500)
    }

    // MARK: Placeholders

    @Test func `that pagination sets need none of --param, described or not`() throws {
        for params in ["", #","params":{"page":{"help":"h"},"n":{}}"#] {
            let source = try Source.having(
                #""path":"/l/{page}","query":{"size":"{n}"},"pagination":{"type":"page","parameter":{"path":"page"},"#
                    + #""size":{"parameter":{"placeholder":"n"},"value":5}}"# + params)
            var settings = FetchSettings()
            try settings.check(for: source)
            #expect(try SourceRequests(source).page(.number(2), size: 5).sent == "GET /l/2?size=5")
            settings.parameters = [Source.Parameter("page", "3")]
            #expect(throws: UsageError.self) { try settings.check(for: source) }
        }
    }

    @Test(arguments: [
        (#""path":"/l/{p}""#, "{p} in the path"),
        (#""path":"/l?a={p}""#, "{p} in the query"), (#""path":"/l","query":{"a":"x{p}"}"#, "{p} in the query"),
        (#""path":"/l","headers":{"X":"{p}"}"#, "{p} in the header X"),
        (#""path":"/l","method":"POST","body":{"a":["{p}"]}"#, "{p} in the body"),
        (#""path":"/l","method":"POST","form":{"a":"{p}"}"#, "{p} in the form"),
        (#""path":"/l/{p}","query":{"a":"{p}"}"#, "{p} in the path and the query"),
    ])
    func `are where the summary of a description says`(members: String, words: String) throws {
        let base = members.contains("baseURL") ? "" : #""baseURL":"https://h","#
        let text =
            #"{"name":"t",\#(base)\#(members),"records":"$","pagination":{"type":"none"},"each":{"parameter":{"placeholder":"p"}}}"#
        let source = try Source(description: Array(text.utf8).span)
        #expect(SourceSummary.text(source, pageSize: nil).contains("--each sets \(words)"))
    }
}
