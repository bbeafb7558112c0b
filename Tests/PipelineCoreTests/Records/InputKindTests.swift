// What an input without records seems to be, and the command that makes records of it.

import PipelineCore
import Testing

@Suite struct InputKindTests {
    private static let records = #"{"id":1,"name":"Mick"}"# + "\n" + #"{"id":2,"name":"Ann"}"# + "\n"

    private static func wide(_ bytes: Int, bigEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? "\u{FEFF}" : "") + records).unicodeScalars.flatMap { scalar in
            let low = (0..<bytes).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
            return bigEndian ? low.reversed() : low
        }
    }

    static let binary: [(head: [UInt8], kind: InputKind)] = [
        ([0x1F, 0x8B, 0x08, 0x00], .gzip), ([0x1F, 0x9D, 0x90], .gzip),
        ([0x28, 0xB5, 0x2F, 0xFD, 0x04], .zstandard), (Array("BZh91AY&SY".utf8), .bzip2),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00], .xz), (Array("PK\u{3}\u{4}\u{14}".utf8), .zip),
        (Array("bplist00".utf8) + [0xA1], .store(.binary)),
        (wide(2, bigEndian: false, mark: true), .encoded("UTF-16")),
        (wide(2, bigEndian: true, mark: true), .encoded("UTF-16")),
        (wide(2, bigEndian: false, mark: false), .encoded("UTF-16LE")),
        (wide(2, bigEndian: true, mark: false), .encoded("UTF-16BE")),
        (wide(4, bigEndian: false, mark: true), .encoded("UTF-32")),
        (wide(4, bigEndian: true, mark: true), .encoded("UTF-32")),
        (wide(4, bigEndian: false, mark: false), .encoded("UTF-32LE")),
        (wide(4, bigEndian: true, mark: false), .encoded("UTF-32BE")),
    ]

    @Test(arguments: binary)
    func `bytes leave no doubt`(head: [UInt8], kind: InputKind) {
        #expect(InputKind(head: head, isWhole: false) == kind)
        #expect(InputKind(head: head, isWhole: true) == kind)
        #expect(kind.isCertain)
    }

    static let text: [(head: String, kind: InputKind?)] = [
        (
            "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple\">\n<plist version=\"1.0\">",
            .store(.xml)
        ),
        ("<plist><array/></plist>", .store(.xml)),
        ("\n <!DOCTYPE HTML>\n<html>", .html), ("<?xml version=\"1.0\"?>\n<html xmlns=\"x\">", .html),
        ("<records><record/></records>", .xml), ("<?xml version=\"1.0\"?>\n<a/>", .xml), ("< 3", nil),
        // JSON
        ("[{\"id\":1}]", .array), ("\u{FEFF}[\n  {\n    \"id\": 1", .array), ("[", .array), ("[]\n", .array),
        ("[1,2]\n[3,4]\n", nil), ("[\"id\",\"name\"]\n", nil),
        ("{\n  \"info\": {\"count\": 2},\n  \"data\": [\n    {\n", .wrapper(["data"])),
        ("{\"response\":{\"n\":1,\"docs\":[{\"a\":1}\n]}}", .wrapper(["response", "docs"])),
        ("{\n \"a b\": [[{\"x\":1}]],\n \"c\": [{", .wrapper(["c"])),
        ("{\n  \"id\": 1,\n  \"films\": [{\"title\": \"x\"}]\n}\n", .spread),
        ("{\n  \"x\": 1\n}\n{\n  \"x\": [{}]\n}\n", .spread), ("{\n\"a\":1", .spread), ("{\n}\n", .spread),
        ("{'id':1}\n", .loose), ("{id:1}\n", .loose), ("{\n", .loose),
        ("{\"id\":1\n{\"id\":2\n", nil), ("{\"id\":1,\"data\":[{\"a\":1}", nil), ("{\"a\":1} x\n", nil),
        ("{\"name\":\"Mi", nil), ("{\"a\":1,}\n{\"b\":2,}\n", nil),
        ("\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n", .sequence),
        // Tables
        ("id,name\n1,Mick\n", .table(0x2C)), ("id,name\r\n1,Mick\r\n2,Ann", .table(0x2C)),
        ("\"id\",\"a\"\n1,\"two\nlines, quoted\"\n2,x\n", .table(0x2C)),
        ("\u{FEFF}id;name\n1;Mick\n", .table(0x3B)),
        ("id\tname, first\n1\tMick\n", .table(0x09)), (",id\n0,31\n", .table(0x2C)),
        ("id,name\n", nil), ("id,name\n{\"id\":1,\"a\":2}\n", nil), ("Hello, world\nand, so on\n", .plainText),
        ("a\nb\n", .plainText), ("[info] start\n[info] end\n", .plainText), ("# a\n{\"id\":1}\n", nil),
        ("a,b\u{0}\nc,d\n", .binary), ("\u{0}\u{0}\u{0}\u{0}\n{\"id\":1}\n", nil), ("", nil), ("\n \n", nil),
        ("nonsense\n", nil), ("\"Mick\"\n\"Ann\"\n", nil),
    ]

    @Test(arguments: text)
    func `text is known by its first lines`(head: String, kind: InputKind?) {
        #expect(InputKind(head: Array(head.utf8), isWhole: true) == kind, "\(head.debugDescription)")
        #expect(kind?.isCertain != true || kind == .store(.binary))
    }

    @Test func `a line longer than what is looked at may be one document`() {
        let start = #"{"info":{"n":1},"data":[{"id":1},{"id":"#
        let head = Array(
            (start + String(repeating: "1", count: InputKind.headBytes)).utf8.prefix(InputKind.headBytes))
        #expect(InputKind(head: head, isWhole: false) == .wrapper(["data"]))
        #expect(InputKind(head: Array(start.utf8), isWhole: true) == nil)
        #expect(InputKind(head: Array(#"{"id":1,"tags":[{"x":1},"#.utf8), isWhole: false) == nil)
    }

    @Test func `any bytes have a kind or none, whether there are more of them or not`() {
        var random = SystemRandomNumberGenerator()
        let signs = Array("{}[]\",:;\t\n\r<>ab01 \u{1E}".utf8) + [0, 0xFF, 0xFE, 0x1F, 0x8B]
        for _ in 0..<20_000 {
            let head = (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in
                signs.randomElement(using: &random)
            }
            for isWhole in [true, false] {
                guard let kind = InputKind(head: head, isWhole: isWhole) else { continue }
                #expect(kind.verdict(on: "x", tool: "filter-search").cure != nil)
            }
        }
    }

    static let verdicts: [(kind: InputKind, name: String, verdict: String)] = [
        (.gzip, "a b.gz", "is compressed with gzip; run zcat 'a b.gz' | filter-search …"),
        (.gzip, "<stdin>", "is compressed with gzip; pipe it through zcat"),
        (
            .array, "-a.json",
            "looks like a JSON array; run fetch-characters --source array --input ./-a.json | filter-search …"
        ),
        (
            .wrapper(["data"]), "<stdin>",
            "looks like one JSON object with records in data; pipe it through jq -c '.data[]'"
        ),
        (
            .wrapper(["a b", "it's"]), "f",
            "looks like one JSON object with records in a b.it's; "
                + "run jq -c '.[\"a b\"][\"it'\\''s\"][]' f | filter-search …"
        ),
        (
            .wrapper(["a", "x-y"]), "f",
            "looks like one JSON object with records in a.x-y; run jq -c '.a[\"x-y\"][]' f | filter-search …"
        ),
        (
            .sequence, "f",
            "looks like a JSON text sequence; run tr -d '\\036' < f | fetch-characters --source array --input - | filter-search …"
        ),
        (
            .table(0x3B), "f",
            "looks like CSV with semicolons; run mlr --icsv --ifs semicolon --ojsonl cat f | filter-search …"
        ),
        (.store(.binary), "<stdin>", "is a property list; pipe it through store-plist --load -"),
        (.zip, "<stdin>", "is a zip archive; pipe it through funzip"),
        (.html, "f", "looks like an HTML page; open it, and see whether it is a login or an error page"),
        (.xml, "<stdin>", "looks like XML; convert it to JSON, one object on each line"),
    ]

    @Test(arguments: verdicts)
    func `is named with the command that makes records of it`(kind: InputKind, name: String, verdict: String) {
        #expect(kind.verdict(on: name, tool: "filter-search …").description == "\(name) \(verdict)")
    }
}
