// The XML as a whole, against Foundation and plutil.

import Foundation
import Testing

@Suite struct XMLWriterTests {
    private static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    @Test
    func `no records are an empty array`() throws {
        #expect(try Stored([]).text == Self.header + "<array/>\n</plist>\n")
    }

    @Test
    func `elements stand on lines of their own, indented by tabs, members in the record's order`() throws {
        let stored = try Stored([#"{"b":"x","a":[{"c":1},[]]}"#, "{}"])
        #expect(
            stored.text == Self.header + """
                <array>
                \t<dict>
                \t\t<key>b</key>
                \t\t<string>x</string>
                \t\t<key>a</key>
                \t\t<array>
                \t\t\t<dict>
                \t\t\t\t<key>c</key>
                \t\t\t\t<integer>1</integer>
                \t\t\t</dict>
                \t\t\t<array/>
                \t\t</array>
                \t</dict>
                \t<dict/>
                </array>
                </plist>

                """)
    }

    @Test
    func `what Foundation writes of sorted members, the writer writes byte for byte`() throws {
        var values = RandomValues(seed: 11)
        for _ in 0..<200 {
            let (json, value) = values.record()
            guard Self.isSane(json) else { continue }
            let expected = try PropertyListSerialization.data(
                fromPropertyList: [value] as NSArray, format: .xml, options: 0)
            let sorted = try JSONSerialization.data(
                withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
            let stored = try Stored([String(decoding: sorted, as: UTF8.self)])
            let lines = stored.text.split(separator: "\n").sorted()
            #expect(lines == String(decoding: expected, as: UTF8.self).split(separator: "\n").sorted())
        }
    }

    /// Foundation writes reals with 17 digits and a bare CR; there the two differ on purpose.
    private static func isSane(_ json: String) -> Bool {
        !json.contains("\\u000d") && !json.contains("e1") && !json.contains("e-") && !json.contains("e2")
            && !json.contains(".")
    }
}
