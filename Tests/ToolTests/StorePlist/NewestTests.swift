// The greatest value of a member, in both formats, by plain paths and by others.

import Foundation
import TestSupport
import Testing

@Suite struct NewestTests {
    /// What `--newest` prints of the store in a folder.
    private func newest(_ folder: ScratchFolder, _ path: String) throws -> String? {
        let run = try Session("store-plist", ["--newest", path], folder: folder)
        #expect(run.status == 0, "\(run.errors)")
        return run.lines.first
    }

    private func store(_ records: [String], _ options: [String]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let input = records.joined(separator: "\n")
        #expect(try Session("store-plist", options, input: input.utf8, folder: folder).status == 0)
        return folder
    }

    /// The newest `v` of records that have these values, which every format and kind of path must agree on.
    private func newest(_ values: [String], _ options: [String] = []) throws -> String? {
        let records = values.map { "{\"a\":[],\"v\":\($0),\"z\":{\"v\":99}}" }
        var found: [String?] = []
        for format in ["xml", "binary"] {
            let folder = try store(records, options + ["--format", format])
            for path in ["v", "$['v','v']"] { found.append(try newest(folder, path)) }
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
            (["7", "\"2026-11-23\"", "8"], "2026-11-23"), (["\"~\"", "\"2026-11-23\"", "\"~~\""], "2026-11-23"),
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
    func `stored dates are times`() throws {
        let dates = ["\"2001-01-01T00:00:00+01:00\"", "\"1999-01-01T00:00:00Z\""]
        #expect(try newest(dates, ["--date", "v"]) == "2000-12-31T23:00:00Z")
        let data = try PropertyListSerialization.data(
            fromPropertyList: [
                ["v": Date(timeIntervalSinceReferenceDate: 0.25)], ["v": "2001-01-01T00:00:00.2Z"],
                ["v": Double.infinity], ["v": Double.nan], ["v": Data([1])],
            ] as [[String: Any]], format: .binary, options: 0)
        let folder = try ScratchFolder()
        try folder.write(data, to: "characters.plist")
        for path in ["v", "$..v"] { #expect(try newest(folder, path) == "2001-01-01T00:00:00.25Z") }
    }

    @Test
    func `all values that a path finds count`() throws {
        let records = [#"{"l":[{"x":3},{"x":4}],"o":{"x":9}}"#, #"{"l":[],"o":{"x":1,"z":[]}}"#]
        let folder = try store(records, [])
        for (path, expected) in [
            ("l[*].x", "4"), ("l[0].x", "3"), ("$.*[1].x", "4"), ("$..x", "9"), ("l[-1].x", "4"),
            ("$.l[?@.x < 4].x", "3"), ("o.x", "9"), ("o.y", nil), ("l.x", nil), ("o[0]", nil), ("l", nil),
            ("$['l','o']['x']", "9"),
        ] as [(String, String?)] { #expect(try newest(folder, path) == expected, "\(path)") }
    }
}
