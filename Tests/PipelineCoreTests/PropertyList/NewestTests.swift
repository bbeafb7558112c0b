// The greatest value of a member, in both formats, by plain paths and by others.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct NewestTests {
    /// What `--newest` prints of a stored file.
    private func newest(_ data: Data, _ path: String, _ layout: StoreLayout = StoreLayout()) throws -> String? {
        let folder = try ScratchFolder()
        try folder.write(data, to: "in")
        let file = try Descriptor.reading(folder.path("in"))
        var finder = try NewestFinder.opened(file, layout: layout, path: JSONPath(path))
        try finder.run()
        try file.close()
        return finder.line
    }

    /// The newest `v` of records that have these values, which every format and kind of path must agree on.
    private func newest(_ values: [String], date: Bool = false, data: Bool = false) throws -> String? {
        var rules = ValueRules()
        if date { rules.dates = [try JSONPath("v")] }
        if data { rules.data = [try JSONPath("v")] }
        let records = values.map { "{\"a\":[],\"v\":\($0),\"z\":{\"v\":99}}" }
        var found: [String?] = []
        for format in [PropertyListFormat.xml, .binary] {
            let stored = try Stored(records, format: format, rules: rules).data
            for path in ["v", "$['v']", "$[?@ == $.v]", "$['v','v']"] where !date && !data || !path.contains("?") {
                found.append(try newest(stored, path))
            }
        }
        #expect(Set(found).count == 1, "\(values): \(found)")
        return found[0]
    }

    @Test(
        arguments: [
            // Times by instant, wherever they are.
            (["\"2026-11-23T00:00:00Z\"", "\"2026-11-22T23:30:00-01:00\""], "2026-11-22T23:30:00-01:00"),
            (["\"2026-11-23\"", "\"2026-11-22T23:59:59.999Z\""], "2026-11-23"),
            (["\"2026-11-23\"", "\"2026-11-23T00:00:00.5Z\""], "2026-11-23T00:00:00.5Z"),
            (["\"2026-11-23\"", "\"2026-11-23T00:00:00Z\"", "\"2026-11-22T19:00:00-05:00\""], "2026-11-23"),
            (["\"2016-12-31T23:59:60Z\"", "\"2016-12-31T23:59:59.9Z\""], "2016-12-31T23:59:60Z"),
            (["\"0000-01-01\"", "\"~\"", "18446744073709551615"], "0000-01-01"),
            // What only looks like a time is a text.
            (["\"2026-02-30\"", "\"2026\""], "2026-02-30"), (["\"2026-11-23 \"", "7"], "7"),
            // Numbers exactly.
            (["18446744073709551614", "18446744073709551615"], "18446744073709551615"),
            (["9007199254740992.0", "9007199254740993"], "9007199254740993"),
            (["9007199254740993", "9007199254740992.0"], "9007199254740993"),
            (["-9223372036854775808", "-9223372036854775807"], "-9223372036854775807"),
            (["-1", "-2", "-1.5"], "-1"), (["2", "10", "9.99"], "10"),
            (["1e300", "18446744073709551615"], "1e+300"),
            (["5e-324", "0"], "5e-324"), (["1", "1.0"], "1"), (["1.0", "1"], "1.0"), (["0", "-0.0"], "0"),
            (["3.5", "2"], "3.5"), (["1.5", "2.5"], "2.5"), (["\"99\"", "3"], "3"),
            // Texts by code points, on one line.
            (["\"Z\"", "\"a\""], "a"), (["\"é\"", "\"z\""], "é"), (["\"\u{FFFD}\"", "\"🚘\""], "🚘"),
            (["\"a\"", "\"ab\""], "ab"), (["\"\""], ""), (["\"a\\nb\""], "a\\nb"), (["\"\\\"\\\\\""], "\\\"\\\\"),
            // What has no order.
            (["true", "[1]", "{\"a\":2}", "[]"], nil), (["true", "-7"], "-7"),
        ] as [([String], String?)])
    func `the greatest value is kept, and of equal ones the first`(values: [String], expected: String?) throws {
        #expect(try newest(values) == expected)
    }

    @Test
    func `stored dates are times, and data is nothing`() throws {
        let dates = ["\"2001-01-01T00:00:00+01:00\"", "\"1999-01-01T00:00:00Z\""]
        #expect(try newest(dates, date: true) == "2000-12-31T23:00:00Z")
        #expect(try newest(["\"AQID\"", "\"aaaa\""], data: true) == nil)
        let data = try PropertyListSerialization.data(
            fromPropertyList: [
                ["v": Date(timeIntervalSinceReferenceDate: 0.25)], ["v": "2001-01-01T00:00:00.2Z"],
                ["v": Double.infinity],
                ["v": Double.nan], ["v": Data([1])],
            ] as [[String: Any]], format: .binary, options: 0)
        for path in ["v", "$..v"] { #expect(try newest(data, path) == "2001-01-01T00:00:00.25Z") }
    }

    @Test(arguments: [
        ("l[*].x", "4"), ("l[0].x", "3"), ("$.*[1].x", "4"), ("$..x", "9"), ("l[-1].x", "4"),
        ("$.l[?@.x < 4].x", "3"),
        ("o.x", "9"), ("o.y", nil), ("l.x", nil), ("o[0]", nil), ("l", nil), ("$['l','o']['x']", "9"),
    ])
    func `all values that a path finds count`(path: String, expected: String?) throws {
        let records = [#"{"l":[{"x":3},{"x":4}],"o":{"x":9}}"#, #"{"l":[],"o":{"x":1,"z":[]}}"#]
        for format in [PropertyListFormat.xml, .binary] {
            #expect(try newest(Stored(records, format: format).data, path) == expected)
        }
    }

    @Test
    func `in random records every way to search finds the same as a search of the lines`() throws {
        for seed in 71...80 as ClosedRange<UInt64> {
            var values = RandomValues(seed: seed)
            let stored = try Stored((0..<40).map { _ in values.record().json })
            let plain = try newest(stored.data, "$.*")
            #expect(plain != nil)
            #expect(try newest(stored.data, "$[*,*]") == plain)
            let numbers = try newest(stored.data, "$[?@ < 1e308]")
            let records = try #require(try stored.root() as? [[String: Any]])
            let expected = records.joined().compactMap { ($0.value as? NSNumber)?.doubleValue }.max()
            #expect(numbers.flatMap(Double.init) == expected)
        }
    }
}
