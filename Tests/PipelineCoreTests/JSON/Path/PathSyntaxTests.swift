// What is a path, what isn't, where the fault is, and how it is shown.

import PipelineCore
import TestSupport
import Testing

@Suite("A path's text")
struct PathSyntaxTests {
    @Test(arguments: [
        "$", "$.a", "$.a.b", "$ .a", "$\n[0]\t.b", "$._", "$.é", "$.a1", "$.*", "$..a", "$..*", "$..[0]",
        "$..['a']",
        "$['a']", "$[\"a\"]", "$['']", "$['it\\'s']", "$[\"it's\"]", "$['\"']", "$['\\b\\f\\n\\r\\t\\/\\\\']",
        "$['\\u00e9']", "$['\\uD83D\\uDE00']", "$[0]", "$[-1]", "$[9007199254740991]", "$[-9007199254740991]",
        "$[ 0 , 'a' , * ]", "$[:]", "$[::]", "$[1:]", "$[:2]", "$[1:2]", "$[1 : 2 : 3]", "$[::-1]", "$[::0]",
        "$[?@]", "$[?@.a]", "$[? @.a]", "$[?!@.a]", "$[?! @.a]", "$[?(@.a)]", "$[?!(@.a)]",
        "$[?@.a && @.b || @.c]",
        "$[?(@.a || @.b) && @.c]", "$[?@.a==1]", "$[?@.a == 'x']", "$[?1<=@.a]", "$[?@['a'][0] != null]",
        "$[?@.a == true]", "$[?@.a==-0]", "$[?@.a==-0.5e+10]", "$[?@.a==1E-3]", "$[?$.a == @.a]",
        "$[?@.a,?@.b]",
        "$[?length(@.a)>1]", "$[?count(@.*) == 2]", "$[?count( @..a )==1]", "$[?value(@..a)=='x']",
        "$[?match(@.a,'b')]", "$[?!search(@.a, $.b)]", "$[?length(value(@..a)) == 1]", "$[?@[?@.a > 1]]",
        "$[?count(@[?@.b])>0]", "$[?@ [ 'a' ] == 1]",
    ])
    func `is read in every form of the grammar`(_ text: String) throws { #expect(try JSONPath(text).text == text) }

    @Test(
        arguments: [
            ("", .expectedRoot, 0), (" $", .expectedRoot, 0), ("@.a", .expectedRoot, 0),
            ("['a']", .expectedRoot, 0),
            ("*", .expectedRoot, 0), (".a", .expectedRoot, 0), ("$ ", .expectedSegment, 1),
            ("$a", .expectedSegment, 1),
            ("$.a-b", .expectedSegment, 3), ("$.é ", .expectedSegment, 3), ("a b", .expectedSegment, 1),
            ("$.", .expectedName, 2), ("$..", .expectedName, 3), ("$.1", .expectedName, 2),
            ("$. a", .expectedName, 2),
            ("$.['a']", .expectedName, 2), ("$...a", .expectedName, 3), ("a.", .expectedName, 2),
            ("$[]", .expectedSelector, 2), ("$[a]", .expectedSelector, 2), ("$[+1]", .expectedSelector, 2),
            ("$[0,]", .expectedSelector, 4), ("$[", .expectedSelector, 2), ("$[0", .expectedCommaOrBracket, 3),
            ("$[0 1]", .expectedCommaOrBracket, 4), ("$[1:2:3:4]", .expectedCommaOrBracket, 7),
            ("$[1.0]", .expectedCommaOrBracket, 3), ("$['a]", .expectedQuote, 5), ("$['", .expectedQuote, 3),
            ("$['\n']", .controlCharacter, 3), ("$['\\a']", .expectedEscape, 4), ("$['\\\"']", .expectedEscape, 4),
            ("$[\"\\'\"]", .expectedEscape, 4), ("$['\\", .expectedEscape, 4),
            ("$['\\u12G4']", .expectedHexDigit, 7),
            ("$['\\u12", .expectedHexDigit, 7), ("$['\\uD83D']", .loneSurrogate, 3),
            ("$['\\uD83D\\u0041']", .loneSurrogate, 3), ("$['\\uDE00']", .loneSurrogate, 3),
            ("$[-]", .expectedDigit, 3), ("$[01]", .leadingZero, 3), ("$[-01]", .leadingZero, 4),
            ("$[-0]", .minusZero, 2), ("$[:-0]", .minusZero, 3), ("$[9007199254740992]", .integerOutOfRange, 2),
            ("$[::-9007199254740992]", .integerOutOfRange, 4), ("$[99999999999999999999]", .integerOutOfRange, 2),
            ("$[?]", .expectedOperand, 3), ("$[?@.a &&]", .expectedOperand, 9), ("$[?True]", .expectedOperand, 3),
            ("$[?nul]", .expectedOperand, 3), ("$[?@.a == ]", .expectedOperand, 10),
            ("$[?!!@.a]", .expectedOperand, 4),
            ("$[?(@.a]", .expectedParenthesis, 7), ("$[?@.a = 1]", .expectedOperator, 7),
            ("$[?@.a === 1]", .expectedOperand, 9), ("$[?1]", .literalIsNoTest, 3),
            ("$[?'a' && @]", .literalIsNoTest, 3),
            ("$[?@.a && true]", .literalIsNoTest, 10), ("$[?!@.a == 1]", .negatedComparison, 4),
            ("$[?(@.a) == 1]", .expectedCommaOrBracket, 9), ("$[?@.* == 1]", .notSingular, 3),
            ("$[?1 == @..a]", .notSingular, 8), ("$[?@['a','b'] == 1]", .notSingular, 3),
            ("$[?@[0:1] == 1]", .notSingular, 3), ("$[?sum(@.a)]", .unknownFunction, 3),
            ("$[?length ()]", .expectedOperand, 3), ("$[?length() > 1]", .expectedOneArgument, 3),
            ("$[?match(@.a)]", .expectedTwoArguments, 3), ("$[?count(@.a @.b)]", .expectedCommaOrParenthesis, 13),
            ("$[?count(1) > 1]", .argumentIsNoQuery, 9), ("$[?value(length(@)) > 1]", .argumentIsNoQuery, 9),
            ("$[?length(@.*) > 1]", .argumentIsNoValue, 10), ("$[?length((@.a)) > 1]", .argumentIsNoValue, 10),
            ("$[?match(@.a, match(@.a, 'b'))]", .argumentIsNoValue, 14), ("$[?length(@.a)]", .resultIsNoTest, 3),
            ("$[?value(@.a)]", .resultIsNoTest, 3), ("$[?match(@.a,'b') == true]", .resultIsNoValue, 3),
            ("$[?@.a==1.]", .expectedDigit, 10), ("$[?@.a==1e]", .expectedDigit, 10),
            ("$[?@.a==00]", .leadingZero, 9),
        ] as [(String, JSONPathError.Reason, Int)])
    func `is refused with the reason and the place`(_ text: String, _ reason: JSONPathError.Reason, _ offset: Int) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    @Test(arguments: [
        ("films", "$.films"), ("image.url", "$.image.url"), ("short-films", "$['short-films']"),
        ("image.short-url", "$.image['short-url']"), ("3d.x", "$['3d'].x"),
        ("films[0].year", "$.films[0].year"),
        ("films[*]", "$.films[*]"), ("films..year", "$.films..year"), ("größe", "$.größe"), ("true", "$.true"),
        ("films[?@.year>1]['x']", "$.films[?@.year>1].x"),
    ])
    func `may begin with a name in the short form`(_ short: String, _ long: String) throws {
        let record = """
            {"films":[{"year":1,"x":2},{"year":2,"x":3}],"image":{"url":4,"short-url":5},"short-films":6,"3d":{"x":7},\
            "größe":8,"true":9}
            """
        let found = try JSONProbe.values(short, in: record)
        #expect(!found.isEmpty)
        #expect(try found == JSONProbe.values(long, in: record))
    }

    @Test(arguments: [
        ("films[0].year >= 1950", "films[0].year", " >= 1950"), ("a-b=1", "a-b", "=1"),
        ("a exists", "a", " exists"),
        ("$['a = b']!=2", "$['a = b']", "!=2"), ("$", "$", ""), ("a .b < 1", "a .b", " < 1"),
    ])
    func `ends where something else begins, when it is the beginning of a text`(
        _ text: String, _ path: String, _ rest: String
    ) throws {
        let parsed = try JSONPath.prefix(of: text)
        #expect(parsed.path.text == path)
        #expect(String(parsed.rest) == rest)
    }

    @Test
    func `says whether it is one member of the record`() throws {
        #expect(try JSONPath("name").simpleMember == Array("name".utf8))
        #expect(try JSONPath("$['\\u00e9']").simpleMember == Array("é".utf8))
        for text in ["$", "a.b", "$.*", "$..a", "$['a','b']", "$[0]", "$[?@.a]"] {
            #expect(try JSONPath(text).simpleMember == nil, "\(text)")
        }
    }

    @Test
    func `says whether it finds one value at most`() throws {
        for text in ["$", "a.b", "$[0]['a'][-1]"] { #expect(try JSONPath(text).isSingular, "\(text)") }
        for text in ["$.*", "$..a", "$['a','b']", "$[0:1]", "$[?@.a]"] {
            #expect(try !JSONPath(text).isSingular, "\(text)")
        }
    }

    @Test
    func `is bounded in depth and length`() throws {
        let nested = { (count: Int) in
            "$[?" + String(repeating: "(", count: count) + "@" + String(repeating: ")", count: count) + "]"
        }
        _ = try JSONPath(nested(63))
        #expect(throws: JSONPathError.self) { try JSONPath(nested(64)) }
        let filters = { (count: Int) in
            "$" + String(repeating: "[?@", count: count) + String(repeating: "]", count: count)
        }
        _ = try JSONPath(filters(64))
        #expect(throws: JSONPathError.self) { try JSONPath(filters(100_000)) }
        _ = try JSONPath("$" + String(repeating: ".a", count: 512))
        let error = #expect(throws: JSONPathError.self) { try JSONPath("$" + String(repeating: "[0]", count: 513)) }
        #expect(error?.reason == .tooManySegments)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `is read or refused within its bounds, whatever it is`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let samples = [
            "$.films[?@.year > 1950 && match(@.title, 'T.*')].title", "$..['a', \"b\\u00e9\"][-1:5:2]", "a-b.c[0]",
            "$[?!(count(@..*) >= 2 || length(value($.x)) == -1.5e3)]", "$[?@.a[?@.b == null] != true]",
        ]
        let record = Array("{\"films\":[{\"year\":1951,\"title\":\"T\"}],\"a\":{\"b\":[1,2]},\"x\":null}".utf8)
        for _ in 0..<300 {
            var scalars = Array(random.pick(samples).unicodeScalars)
            for _ in 0..<random.pick([1, 1, 2, 4]) {
                let place = Int.random(in: 0..<scalars.count, using: &random)
                let other = random.pick(Array("$@.[]()?*'\",:!=<>&|-0 1aeu\\\u{0}é😀".unicodeScalars))
                if random.oneIn(3) { scalars.remove(at: place) } else { scalars.insert(other, at: place) }
            }
            let text = String(String.UnicodeScalarView(scalars))
            do throws(JSONPathError) {
                var evaluator = JSONPathEvaluator(try JSONPath(text))
                #expect(throws: Never.self) { try evaluator.evaluate(record.span) }
            } catch {
                #expect((0...scalars.count).contains(error.offset))
            }
        }
    }
}
