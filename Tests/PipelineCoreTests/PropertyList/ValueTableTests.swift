// Each rule of the table of values: what is stored, what is refused, what an option changes.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct ValueTableTests {
    @Test(arguments: [
        ("true", "<true/>"), ("false", "<false/>"),
        ("0", "<integer>0</integer>"), ("-0", "<integer>0</integer>"), ("1", "<integer>1</integer>"),
        ("-1", "<integer>-1</integer>"),
        ("9223372036854775807", "<integer>9223372036854775807</integer>"),
        ("9223372036854775808", "<integer>9223372036854775808</integer>"),
        ("18446744073709551615", "<integer>18446744073709551615</integer>"),
        ("-9223372036854775808", "<integer>-9223372036854775808</integer>"),
        ("1.0", "<real>1</real>"), ("1e2", "<real>100</real>"), ("-0.0", "<real>-0.0</real>"),
        ("0.0", "<real>0.0</real>"), ("0.1", "<real>0.1</real>"), ("1e-7", "<real>1e-07</real>"),
        ("1e21", "<real>1e+21</real>"), ("5e-324", "<real>5e-324</real>"),
        ("1.7976931348623157e308", "<real>1.7976931348623157e+308</real>"),
        ("123456789.123456789", "<real>123456789.12345679</real>"), ("-2.50", "<real>-2.5</real>"),
        (#""""#, "<string></string>"), (#""a b""#, "<string>a b</string>"),
        (#""<a> & \"b\" 'c'""#, #"<string>&lt;a&gt; &amp; "b" 'c'</string>"#),
        (#""\t\r""#, "<string>\t&#13;</string>"), (#""\u00e9\ud83d\ude98é""#, "<string>é🚘é</string>"),
        (#""\u007f\u0085\uff21\uefff""#, "<string>\u{7F}\u{85}\u{FF21}\u{EFFF}</string>"),
        ("[]", "<array/>"), ("{}", "<dict/>"), ("[[]]", "<array><array/></array>"),
        ("[1,true]", "<array><integer>1</integer><true/></array>"),
        (#"{"":1}"#, "<dict><key></key><integer>1</integer></dict>"),
    ])
    func `a value becomes its element`(json: String, xml: String) throws {
        #expect(try Stored([#"{"v":\#(json)}"#]).record == "<key>v</key>" + xml)
    }

    @Test
    func `a line feed stays a line feed`() throws {
        #expect(try Stored([#"{"v":"a\nb"}"#]).text.contains("<string>a\nb</string>"))
    }

    @Test(arguments: [
        ("[null]", BadRecord.Reason.null("element", in: .xml)), (#"[{"a":[1,null]}]"#, .null("element", in: .xml)),
        ("18446744073709551616", .bigInteger), ("-9223372036854775809", .bigInteger),
        ("123456789012345678901234567890", .bigInteger), ("1e400", .infiniteNumber),
        ("-1e400", .infiniteNumber), ("1e-400", .infiniteNumber), ("-0.1E-9999", .infiniteNumber),
        (#""\u0000""#, .control(0)), (#""\u001f""#, .control(0x1F)), (#""\ufffe""#, .control(0xFFFE)),
        ("\"\u{FFFF}\"", .control(0xFFFF)), (#"{"\u0001":1}"#, .control(1)),
        (#""\ud800""#, .loneSurrogate), (#""\ude98\ud83d""#, .loneSurrogate),
        (#"{"\udc00":1}"#, .loneSurrogate),
    ])
    func `what has no place in a property list is refused`(json: String, reason: BadRecord.Reason) throws {
        #expect(try Stored.fault(#"{"v":\#(json)}"#) == reason)
    }

    @Test(arguments: [
        (ValueRules.Null.omitMembers, #"{"a":null,"b":1}"#, "<key>b</key><integer>1</integer>"),
        (
            .omit, #"{"b":[1,null,2]}"#,
            "<key>b</key><array><integer>1</integer><integer>2</integer></array>"
        ),
        (.text(Array("∅<".utf8)), #"{"a":null}"#, "<key>a</key><string>∅&lt;</string>"),
        (.text([]), #"{"a":[null]}"#, "<key>a</key><array><string></string></array>"),
    ])
    func `--null decides`(null: ValueRules.Null, line: String, xml: String) throws {
        var rules = ValueRules()
        rules.null = null
        let stored = try Stored([line], rules: rules)
        #expect(stored.record == xml)
        #expect(stored.choices.nullsOmitted + stored.choices.nullsReplaced == 1)
    }

    @Test
    func `a null is an error under --null=error`() throws {
        var rules = ValueRules()
        rules.null = .fault
        #expect(try Stored.fault(#"{"a":null}"#, rules: rules) == .null("member", in: .xml))
        #expect(try Stored.fault(#"{"a":[null]}"#, rules: rules) == .null("element", in: .xml))
    }

    /// A value of any kind that a format can't hold, and what `--lossy text` makes of it.
    private static let unfit: [(json: String, stored: String, fault: BadRecord.Reason)] = [
        ("18446744073709551616", "18446744073709551616", .bigInteger),
        ("-9223372036854775809", "-9223372036854775809", .bigInteger),
        ("1" + String(repeating: "0", count: 400), "1" + String(repeating: "0", count: 400), .bigInteger),
        (#""a\u0001b""#, "a\u{FFFD}b", .control(1)), (#""\uffff""#, "\u{FFFD}", .control(0xFFFF)),
        (#""\u001f""#, "\u{FFFD}", .control(0x1F)), (#""\udc00x""#, "\u{FFFD}x", .loneSurrogate),
    ]

    @Test
    func `what XML can't hold is an error, or a text under --lossy, wherever it stands`() throws {
        var rules = ValueRules()
        rules.isLossy = true
        for value in Self.unfit {
            for place in [#"{"a":\#(value.json)}"#, #"{"b":1,"c":[{"d":[\#(value.json)]}]}"#] {
                #expect(try Stored.fault(place) == value.fault, "\(place)")
                let stored = try Stored([place], rules: rules)
                #expect(stored.record.contains("<string>\(value.stored)</string>"), "\(place)")
                #expect(stored.choices.summary == nil && stored.choices.parts.map(\.count) == [1], "\(place)")
            }
        }
        // Infinity is no text: the number is a mistake.
        #expect(try Stored.fault(#"{"a":1e400}"#, rules: rules) == .infiniteNumber)
    }

    @Test
    func `only a loss that nobody chose is worth a warning`() throws {
        var rules = ValueRules()
        (rules.isLossy, rules.null) = (true, .omit)
        rules.dates = [try JSONPath("d")]
        let chosen = #"{"a":null,"b":[null],"c":99999999999999999999,"e":"\u0001\ud800"}"#
        #expect(try Stored([chosen], rules: rules).choices.summary == nil)
        #expect(try Stored([chosen], rules: rules).choices.parts.count == 4)
        #expect(try Stored([#"{"a":null}"#]).choices.summary == nil)
        let unasked = try Stored([#"{"a":null,"a":2}"#, #"{"d":"2011-05-12T01:02:03.5Z"}"#], rules: rules)
        #expect(
            unasked.choices.summary
                == "some values were changed to fit the format: duplicate keys dropped (the last wins): 1, parts of a second dropped from dates: 1"
        )
    }

    @Test
    func `--lossy text stores U+FFFD for each character`() throws {
        var rules = ValueRules()
        rules.isLossy = true
        let stored = try Stored([#"{"a":"\u0001x\uffff\ud800y"}"#], rules: rules)
        #expect(stored.record == "<key>a</key><string>\u{FFFD}x\u{FFFD}\u{FFFD}y</string>")
        #expect(stored.choices.controlsReplaced == 2)
        #expect(stored.choices.surrogatesReplaced == 1)
    }

    @Test
    func `names that are stored as the same one are equal names`() throws {
        var rules = ValueRules()
        rules.isLossy = true
        for line in [
            #"{"\u0001":2,"b":0,"\u0002":3}"#, #"{"\ufffd":2,"b":0,"\u0002":3}"#,
            "{\"\u{FFFE}\":2,\"b\":0,\"\u{FFFF}\":3}", #"{"\ud800":2,"b":0,"\u0001":3}"#,
        ] {
            let stored = try Stored([line, line], rules: rules)
            #expect(
                stored.text.components(separatedBy: "<key>\u{FFFD}</key>\n\t\t<integer>3<").count == 3, "\(line)")
            #expect(!stored.text.contains("<integer>2<"), "\(line)")
            #expect(stored.choices.duplicatesDropped == 2, "\(line)")
        }
        rules.refusesDuplicates = true
        #expect(try Stored.fault(#"{"\u0001":2,"\u0002":3}"#, rules: rules) == .duplicateKey(in: .xml))
    }

    @Test(arguments: [
        (#"{"a":1,"b":2,"a":3}"#, "<key>b</key><integer>2</integer><key>a</key><integer>3</integer>", 1),
        (#"{"a":1,"\u0061":2}"#, "<key>a</key><integer>2</integer>", 1),
        (#"{"a":1,"b":0,"a":null}"#, "<key>b</key><integer>0</integer>", 1),
        (
            #"{"a":{"x":1,"x":2},"a":{"x":3,"y":[{"z":1,"z":2}]}}"#,
            "<key>a</key><dict><key>x</key><integer>3</integer><key>y</key><array><dict><key>z</key><integer>2</integer></dict></array></dict>",
            3
        ),
        (#"{"a":1,"a":2,"a":3}"#, "<key>a</key><integer>3</integer>", 2),
        (
            #"{"a":{"k":1},"b":{"k":1},"k":1}"#,
            "<key>a</key><dict><key>k</key><integer>1</integer></dict><key>b</key><dict><key>k</key><integer>1</integer></dict><key>k</key><integer>1</integer>",
            0
        ),
    ])
    func `of two equal names the last wins`(line: String, xml: String, count: Int) throws {
        let stored = try Stored([line])
        #expect(stored.record == xml)
        #expect(stored.choices.duplicatesDropped == count)
        var strict = ValueRules()
        strict.refusesDuplicates = true
        #expect(try Stored.fault(line, rules: strict) == (count > 0 ? .duplicateKey(in: .xml) : nil))
    }

    @Test
    func `a name that comes back late in a large object is found`() throws {
        let members = (0..<500).map { "\"n\($0)\":\($0)" } + ["\"n3\":-3", "\"n499\":-499"]
        let stored = try Stored(["{" + members.joined(separator: ",") + "}"])
        #expect(stored.choices.duplicatesDropped == 2)
        #expect(stored.text.contains("<key>n3</key>\n\t\t<integer>-3</integer>"))
        #expect(!stored.text.contains("<integer>499</integer>"))
    }

    @Test
    func `512 levels are stored, 513 are not a record`() throws {
        func nested(_ levels: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
        }
        #expect(try Stored([nested(512)]).root().count == 1)
        #expect(throws: BadRecord.self) { try Stored([nested(513)]) }
    }

    @Test
    func `what a path finds in a record says nothing of the same place in the next one`() throws {
        let stored = try Stored(
            [#"{"d":"2011-05-12T01:02:03Z"}"#, #"{"b":"AQ=="}"#, #"{"x":"AQ=="}"#], rules: .typed())
        #expect(stored.text.contains("<date>2011-05-12T01:02:03Z</date>"))
        #expect(stored.text.matches(of: #/<data>/#).count == 1)
        #expect(stored.text.contains("<string>AQ==</string>"))
    }

    @Test
    func `a line that can't be stored leaves no trace`() throws {
        let folder = try ScratchFolder()
        var writer = StoreWriter(
            try AtomicFile.begin(folder.path("s")), at: nil, format: .xml, rules: ValueRules())
        try writer.begin()
        #expect(try writer.append(Array(#"{"a":null,"b":1}"#.utf8).span) == nil)
        for bad in [#"{"a":1,"b":{"c":[null]}}"#, #"{"a":null,"b":"#, "[1]", "{}x"] {
            #expect(try writer.append(Array(bad.utf8).span) != nil)
        }
        #expect(try writer.append(Array(#"{"c":2}"#.utf8).span) == nil)
        try writer.finish()
        #expect(writer.records == 2)
        #expect(writer.choices.nullsOmitted == 1)
        try writer.file.commit()
        #expect(try folder.data("s") == Stored([#"{"b":1}"#, #"{"c":2}"#]).data)
    }

    @Test(arguments: [
        (#"{"a":null}"#, 5, "$.a"), (#"{"a":[1,{"b c":2}],"d":3}"#, 15, "$.a[1]['b c']"),
        (#"{"a":[1,{"b c":2}],"d":[[],[4]]}"#, 28, "$.d[1][0]"), (#"{"a":[[],7]}"#, 9, "$.a[1]"),
        (#"{"x":{},"it's":1}"#, 15, #"$['it\'s']"#), (#"{"1a":1}"#, 6, "$['1a']"), (#"{"é":1}"#, 6, "$.é"),
    ])
    func `a fault is named by its path`(line: String, offset: Int, path: String) {
        #expect(JSONLocation.path(toPart: offset, in: Array(line.utf8).span) == path)
    }

    @Test(arguments: [
        (#"{"$seal":{"records":1,"complete":true}}"#, true), (#" { "\u0024seal" : 1 } "#, true),
        (#"{"$seal":1,"a":2}"#, false), (#"{"a":1}"#, false), (#"{}"#, false), (#"{"$seal":1"#, false),
        (#"{"$seal":1} x"#, false), (#"["$seal"]"#, false),
    ])
    func `a seal is a record of the one member $seal`(line: String, isSeal: Bool) {
        #expect((SealClaim(Array(line.utf8).span) != nil) == isSeal)
    }
}
