// Stores that aren't what they seem: refused, and nothing else happens.

import Foundation
import Testing

extension StoreLoaderTests {
    @Test(arguments: ["", "\n", "</plis", "<!-- </plist> -->", "</plist></plist>", "</plist>x", "</plist><array/>"])
    func `XML is whole only where </plist> ends it`(end: String) throws {
        let start = "<plist><array><dict><key>a</key><true/></dict></array>"
        #expect(try fault(Data((start + end).utf8)) != nil)
        #expect(try load(Data((start + "<!-- b --></plist>\n<!-- c -->\n").utf8)) == [#"{"a":true}"#])
    }

    @Test(arguments: [
        "", "<array>", "<array><dict></array>", "<array></dict>", "<array/><array/>", "<array>text</array>",
        "<array><dict><integer>1</integer></dict></array>", "<array><dict><key>a</key></dict></array>",
        "<array><dict><key>a</key><key>b</key></dict></array>", "<array><string>&nbsp;</string></array>",
        "<array><string>&#0;</string></array>", "<array><string>&#xD800;</string></array>",
        "<array><string>&#xFFFE;</string></array>",
        "<array><string>&#x110000;</string></array>", "<array><string>&#99999999999999999999;</string></array>",
        "<array><string>\u{1}</string></array>", "<array><string>a<b/></string></array>",
        "<array><string>a</array>", "<array><integer>1x</integer></array>",
        "<array><integer></integer></array>", "<array><dict><key>a</key><integer>1f</integer></dict></array>",
        "<array><dict><key>a</key><integer>-</integer></dict></array>",
        "<array><integer>18446744073709551616</integer></array>", "<array><real>x</real></array>",
        "<array><dict><key>a</key><integer>-9223372036854775809</integer></dict></array>",
        "<array><dict><key>a</key><real>1e400</real></dict></array>",
        "<array><date>yesterday</date></array>", "<array><data>A</data></array>", "<array><uid>1</uid></array>",
        "<array><![CDATA[x]]></array>", "<array><dict", "<array><string>x<![CDATA[", "<array><!-- ",
        "<array><stringx>a</stringx></array>", "<array><dict><keyx>a</key><true/></dict></array>",
        "<array><string>a</string b></array>", "<array><integer/></array>", "<array><date></date></array>",
        "<array><dict><key>a</key>" + String(repeating: "<array>", count: 600),
    ])
    func `XML that isn't a whole property list is refused`(body: String) throws {
        // A whole one would be refused too, since a record is a dictionary.
        #expect(try fault(xml(body))?.contains("expected a dictionary") == false)
    }

    @Test(arguments: [
        "", "hello", "[{}]", "bplist00", "<plist", "<?xml",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><array/></plist>",
        "<plist><array/></plist>x", "\u{FEFF}", "<html></html>",
    ])
    func `files that aren't property lists at all are refused`(text: String) throws {
        #expect(try fault(Data(text.utf8)) != nil)
    }

    @Test(arguments: ["<!ENTITY a \"b\">", ""])
    func `a DOCTYPE that declares something is refused by name`(subset: String) throws {
        let text = "<!DOCTYPE plist [\(subset)]><plist><array/></plist>"
        #expect(try fault(Data(text.utf8))?.contains("DOCTYPE") == true)
    }

    @Test
    func `XML that isn't UTF-8 is refused`() throws {
        #expect(
            try fault(xml("<array><dict><key>") + Data([0xFF]) + Data("</key><true/></dict></array>".utf8)) != nil)
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let text = try #require("\u{FEFF}<plist><array/></plist>".data(using: encoding))
            #expect(try fault(text)?.contains("plutil -convert xml1 writes UTF-8") == true)
        }
        // Bytes that are UTF-8 all the same.
        let body = "<plist><array><dict><key>a</key><string>é</string></dict></array></plist>"
        for (declaration, isRead) in [
            ("version=\"1.0\" encoding=\"ISO-8859-1\"", false), ("version='1.0' encoding = 'windows-1252'", false),
            ("version='1.0' encoding='utf-8' standalone='yes'", true), ("version='1.0'", true),
        ] {
            let data = Data("<?xml \(declaration)?>\(body)".utf8)
            if isRead {
                #expect(try load(data) == [#"{"a":"é"}"#])
            } else {
                #expect(try fault(data)?.contains("plutil -convert xml1 writes UTF-8") == true, "\(declaration)")
            }
        }
    }

    /// A binary property list of these objects, the last of which is the root.
    private func binary(_ objects: [[UInt8]], count: UInt64? = nil, root: UInt64? = nil, table: UInt64? = nil)
        -> Data
    {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let start = UInt64(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [count ?? UInt64(objects.count), root ?? UInt64(objects.count - 1), table ?? start] {
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return Data(bytes)
    }

    @Test(
        arguments: [
            [[0xA1, 0x00]], [[0xA1, 0x05]], [[0xD1, 0x00, 0x00]], [[0x51, 0x61], [0xD1, 0x01, 0x01]],
            [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
            [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], [[0xAF]], [[0xAF, 0x50]],
            [[0xAF, 0x14]],
            [[0x5F, 0x11, 0xFF, 0xFF], [0xA1, 0x00]], [[0x61, 0xD8, 0x00], [0xA1, 0x00]],
            [[0x51, 0x80], [0xA1, 0x00]],
            [[0x6F, 0x10], [0xA1, 0x00]], [[0x15, 0], [0xA1, 0x00]], [[0x80, 0x01], [0xA1, 0x00]],
            [[0x0F], [0xA1, 0x00]], [[0x14, 0], [0xA1, 0x00]],
            [[0x14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xA1, 0x00]],
        ] as [[[UInt8]]])
    func `binary files that lie about themselves are refused`(objects: [[UInt8]]) throws {
        #expect(try fault(binary(objects)) != nil)
    }

    @Test
    func `integers of 16 bytes are read as far as they have 64 bits`() throws {
        let cases: [(UInt64, UInt64, String?)] = [
            (0, 0, "0"), (0, .max, "18446744073709551615"), (0, 1 << 63, "9223372036854775808"), (1, 0, nil),
            (1, 1, nil), (.max, .max, "-1"), (.max, 1 << 63, "-9223372036854775808"), (.max, 1 << 63 - 1, nil),
            (.max, 0, nil), (.max - 1, .max, nil), (1 << 63, 0, nil),
        ]
        for (high, low, text) in cases {
            var object: [UInt8] = [0x14]
            for half in [high, low] { object += (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
            let data = binary([[0x51, 0x61], object, [0xD1, 0, 1], [0xA1, 2]])
            if let text {
                #expect(try load(data) == ["{\"a\":\(text)}"])
            } else {
                #expect(try fault(data) == "an integer of more than 64 bits")
            }
        }
    }

    @Test
    func `trailers that lie are refused`() throws {
        let objects: [[UInt8]] = [[0xD0], [0xA1, 0x00]]
        #expect(try load(binary(objects)) == ["{}"])
        for data in [
            binary(objects, count: 3), binary(objects, count: .max), binary(objects, root: 2),
            binary(objects, root: .max),
            binary(objects, table: 8), binary(objects, table: .max), binary(objects, table: 1000),
            binary(objects, count: 0),
        ] {
            #expect(try fault(data) != nil)
        }
        let good = binary(objects)
        for length in 0..<good.count { #expect(try fault(good.prefix(length)) != nil) }
    }

    @Test
    func `an object that lies in the header or in the table is refused`() throws {
        let objects: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62], [0xD1, 0, 1], [0xA1, 2]]
        let good = binary(objects)
        #expect(try load(good) == [#"{"a":"b"}"#])
        let table = good.count - 32 - objects.count
        for offset in Array(0..<8) + Array(table...255) {
            // The first byte of the header is also the marker of a text of two letters.
            var data = good
            data[table + 1] = UInt8(offset)
            #expect(try fault(data) == "an object outside the file's objects", "\(offset)")
        }
    }

    @Test
    func `a reference behind the last object is refused, whatever the trailer's unused bytes say`() throws {
        var data = binary([[0xD0], [0xA1, 0x02]])
        // The table's entry would lie there, and name the first object.
        let trailer = data.count - 32
        data.replaceSubrange(trailer..<trailer + 2, with: [0x00, 0x08])
        #expect(try fault(data) == "a reference to no object")
    }

    @Test
    func `objects that share objects over and over end soon`() throws {
        var objects: [[UInt8]] = [[0xD0]]
        for level in 0..<200 { objects.append([0xA2, UInt8(level), UInt8(level)]) }
        objects.append([0x51, 0x61])
        objects.append([0xD1, 201, 200])
        objects.append([0xA1, 202])
        #expect(try fault(binary(objects)) == "objects that share objects too often")
    }

    @Test
    func `a record that a few objects make large is refused before it is held`() throws {
        var objects: [[UInt8]] = [[0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100), [0xA2, 0, 0]]
        for level in 1..<10 { objects.append([0xA2, UInt8(level), UInt8(level)]) }
        objects += [[0x51, 0x62], [0xD1, 11, 10], [0xA1, 12]]
        let data = binary(objects + (0..<100).map { _ in [0x08] }, root: 13)
        #expect(try load(data, limitBytes: 200_000).map(\.utf8.count) == [107_523])
        let message = try #require(try fault(data, limitBytes: 100_000))
        #expect(message.hasPrefix("$[0].b[1]") && message.hasSuffix("a record may take 256 MiB; store it in parts"))
    }
}
