// What filters hold for: comparisons, logic, functions, patterns.

import Testing

@Suite("A filter")
struct PathFilterTests {
    /// Whether the condition holds for the record, which is put into an array to be filtered.
    func holds(_ condition: String, _ record: String) throws -> Bool {
        try !JSONProbe.values("$[?\(condition)]", in: "[\(record)]").isEmpty
    }

    @Test(arguments: [
        ("1", "1"), ("1", "1.0"), ("100", "1e2"), ("0", "-0"), ("0.1", "1E-1"), ("null", "null"),
        ("true", "true"),
        ("\"a\"", "\"\\u0061\""), ("[]", "[]"), ("[1,[2]]", "[1.0,[2e0]]"), ("{}", "{}"),
        (#"{"a":1,"b":"x"}"#, #"{"b":"\u0078","\u0061":1.0}"#), ("[{\"a\":[]}]", "[{\"a\":[]}]"),
        ("12345678901234567890", "12345678901234567890.0"), ("\"\\ud83d\\ude00\"", "\"😀\""),
    ])
    func `compares values of one kind`(_ left: String, _ right: String) throws {
        let record = "{\"l\":\(left),\"r\":\(right)}"
        #expect(try holds("@.l == @.r", record) && holds("@.r == @.l", record))
        #expect(try !holds("@.l != @.r", record) && !holds("@.l < @.r", record) && !holds("@.l > @.r", record))
        #expect(try holds("@.l <= @.r", record) && holds("@.l >= @.r", record))
    }

    @Test(arguments: [
        ("1", "2", true), ("-2", "-1", true), ("9", "10", true), ("1.5", "1.50001", true),
        ("1e400", "1e401", true),
        ("12345678901234567890", "12345678901234567891", true), ("\"a\"", "\"b\"", true),
        ("\"\"", "\"a\"", true),
        ("\"a\"", "\"ab\"", true), ("\"Z\"", "\"a\"", true), ("\"\u{FFFD}\"", "\"\u{10000}\"", true),
        ("\"\\uFFFD\"", "\"\\uD800\\uDC00\"", true), ("1", "\"1\"", false), ("true", "false", false),
        ("null", "false", false), ("0", "false", false), ("[]", "{}", false), ("[1]", "[1,2]", false),
        ("[1,2]", "[2,1]", false), (#"{"a":1}"#, #"{"a":2}"#, false), (#"{"a":1}"#, #"{"b":1}"#, false),
        (#"{"a":1}"#, #"{"a":1,"b":1}"#, false), (#"{"a":1,"a":1}"#, #"{"a":1,"b":1}"#, false),
        ("[]", "null", false),
    ])
    func `tells values apart that differ, and orders numbers and strings`(
        _ left: String, _ right: String, _ isOrdered: Bool
    ) throws {
        let record = "{\"l\":\(left),\"r\":\(right)}"
        #expect(try !holds("@.l == @.r", record) && !holds("@.r == @.l", record) && holds("@.l != @.r", record))
        #expect(try holds("@.l < @.r", record) == isOrdered)
        #expect(try holds("@.r > @.l", record) == isOrdered)
        #expect(try holds("@.l <= @.r", record) == isOrdered)
        #expect(try holds("@.r >= @.l", record) == isOrdered)
        #expect(try !holds("@.l > @.r", record) && !holds("@.r < @.l", record) && !holds("@.r <= @.l", record))
    }

    @Test(arguments: [
        "@.a", "@.null", "@['n','a']", "!@.b", "!(@.b)", "@.a && @.n", "@.b || @.a", "@.b && @.b || @.a",
        "@.a || @.b && @.b", "!(@.a && @.b)", "(@.b || @.a) && @.n", "@.b == @.c", "@.b == $.z", "@.b != 1",
        "@.a == 1", "1 == @.a", "1 == 1", "'x' < 'y'", "@.a >= 1 && @.a < 2", "@.s == 'h\\u00e9'",
        "@.null == null",
        "@.n[0] == 1", "@.n[-1] == 3", "@.n[?@ > 2]", "@.n[1:]", "@..x", "@.o['x'] == true", "$[0].a == 1",
        "@.n[?@ == $[0].a]", "@ == $[0]", "length(@.s) == 2", "length(@.n) == 3", "length(@.o) == 1",
        "length(@) == 5", "length('\\uD83D\\uDE00') == 1", "length(@.a) == length(@.b)", "count(@.n[*]) == 3",
        "count(@.b) == 0", "count(@..*) == 9", "count(@['a','a']) == 2", "value(@..x) == true",
        "value(@.n[*]) == @.b",
        "value(@.b) == @.c", "length(value(@.s)) < 3", "count(@.n[?@ > 1]) == 2", "@.a==1.0", "@.a==1E0",
        "@.a>-1e2",
    ])
    func `holds`(_ condition: String) throws {
        #expect(try holds(condition, #"{"a":1,"null":null,"n":[1,2,3],"s":"hé","o":{"x":true}}"#))
        #expect(try !holds("!(\(condition))", #"{"a":1,"null":null,"n":[1,2,3],"s":"hé","o":{"x":true}}"#))
    }

    @Test(arguments: [
        "@.b", "!@.a", "@.b == null", "@.a == '1'", "@.a < '2'", "@.null < 1", "@.b < 1", "@.b <= 1",
        "@.b > @.a",
        "@.a && @.b", "@.b || @.c", "@.o < @.o", "length(@.a) == 1", "length(@.null) == 0", "match(@.a, '1')",
        "match(@.s, 1)", "match(@.b, '.*')", "value(@.n[*]) == 1",
    ])
    func `doesn't hold`(_ condition: String) throws {
        #expect(try !holds(condition, #"{"a":1,"null":null,"n":[1,2,3],"s":"hé","o":{"x":true}}"#))
    }

    @Test
    func `looks at the members of an object as at the elements of an array`() throws {
        #expect(try JSONProbe.values("$[?@ > 1]", in: #"{"a":1,"b":2,"c":3}"#) == ["2", "3"])
        #expect(try JSONProbe.values("$[?@.x,?@.y]", in: #"[{"x":1},{"y":1,"x":2},{}]"#).count == 3)
        #expect(
            try JSONProbe.values("$..[?@.x]", in: #"{"a":[{"x":1}],"b":{"c":{"x":2}}}"#) == [
                #"{"x":1}"#, #"{"x":2}"#,
            ])
        #expect(try JSONProbe.values("$[?@]", in: #""text""#).isEmpty)
    }

    @Test
    func `takes the first of duplicate names where it compares`() throws {
        #expect(try holds("@.a == 1", #"{"a":1,"a":2}"#) && !holds("@.a == 2", #"{"a":1,"a":2}"#))
    }
}
