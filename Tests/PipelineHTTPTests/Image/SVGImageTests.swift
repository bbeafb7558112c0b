// SVG: the root element decides, and the size is what a browser would make of it.

import PipelineHTTP
import Testing

@Suite("SVG")
struct SVGImageTests {
    private static let name = "xmlns=\"http://www.w3.org/2000/svg\""

    @Test(arguments: [
        ("<svg \(name) width=\"64\" height=\"48\"></svg>", 64, 48),
        ("<svg \(name) width='64px' height='48.4px'/>", 64, 48),
        ("<svg \(name) width=\"2in\" height=\"25.4mm\"></svg>", 192, 96),
        ("<svg \(name) width=\"3pc\" height=\"54pt\"></svg>", 48, 72),
        ("<svg \(name) width=\"5.08cm\" height=\"7\"></svg>", 192, 7),
        ("<svg \(name) width=\"100%\" height=\"100%\" viewBox=\"0 0 640 480\"></svg>", 640, 480),
        ("<svg \(name) viewBox='-1,-1,20,10'></svg>", 20, 10),
        ("<svg \(name) width='0.2' height='0.2'></svg>", 1, 1),
        ("<svg \(name) width='10em' height='2rem'/>", 160, 32),
        ("<svg \(name) width='40PX' height='40q'/>", 40, 38),
        ("<svg \(name) width='40' viewBox='0 0 4 3'/>", 40, 30),
        ("<svg \(name) height='30' viewBox='0 0 4 3'/>", 40, 30),
        ("<svg \(name) width='100%' height='30' viewBox='0 0 4 3'/>", 40, 30),
        ("<svg \(name) width='12pt' height='auto' viewBox='0 0 4 3'/>", 16, 12),
        ("<svg \(name) width='33.4' viewBox='0 0 4 3'/>", 33, 25),
        ("<svg \(name) width='40' height='30' viewBox='0 0 0 0'/>", 40, 30),
        (
            "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE svg PUBLIC \"x\" \"y\" [ <!ENTITY a \"b\"> ]>\n"
                + "<s:svg xmlns:s='x' width='3' height='4'><s:path d='M0'/></s:svg >\n<!-- end -->\n", 3, 4
        ),
    ])
    func `the size comes from width and height, then from viewBox`(_ text: String, width: Int, height: Int) throws {
        let facts = try ImageInfo(of: Array(text.utf8).span)
        #expect(facts.type == .svg)
        #expect(facts.size == ImageSize(width: width, height: height))
    }

    @Test(arguments: [
        "", "width='40'", "height='30'", "width='40' height='50%'", "width='40' height='4ex'",
        "width='4 px' height='3'",
        "width='4.' height='3'", "width='40' viewBox='0 0 0 3'", "width='40' viewBox='0 0 4 0'",
        "viewBox='0 0 -4 3'",
        "width='40' viewBox='0 0 1e400 3'", "height='40' viewBox='0 0 4 3 5'",
    ])
    func `one that doesn't tell its size is taken without`(_ attributes: String) throws {
        let facts = try ImageInfo(of: Array("<svg \(Self.name) \(attributes)><path/></svg>".utf8).span)
        #expect(facts.type == .svg && facts.size == nil)
    }

    @Test(arguments: [
        ("encoding=\"ISO-8859-1\"", true), ("encoding = 'windows-1252'", true), ("encoding=\"UTF-8\"", false),
        ("", false),
    ])
    func `bytes that aren't UTF-8 are right where the declaration says so`(_ encoding: String, isTaken: Bool) {
        let text = "<?xml version='1.0' \(encoding)?><svg \(Self.name) width='3' height='4'><title>caf"
        let bytes = Array(text.utf8) + [0xE9] + Array("</title></svg>".utf8)
        if isTaken {
            #expect(throws: Never.self) { try ImageInfo(of: bytes.span) }
        } else {
            #expect(throws: ImageError.damaged(.svg)) { try ImageInfo(of: bytes.span) }
        }
    }

    @Test(arguments: [
        ("<svg \(name) width='3' height='4'><path/>", ImageError.truncated(.svg)),
        ("<svg \(name) width='3' heig", .truncated(.svg)),
        ("<svg", .truncated(.svg)),
        ("<svg \(name)><path/></svg", .truncated(.svg)),
        ("<svg \(name)><svg width='1'></svg>", .truncated(.svg)),
        ("<svg \(name)><!-- </svg> --><g>", .truncated(.svg)),
        ("<svg \(name)><![CDATA[ </svg>", .truncated(.svg)),
        ("<svg \(name)><style><![CDATA[ </svg> ]]></style>", .truncated(.svg)),
        ("<svg \(name)><path d='</svg>'/>", .truncated(.svg)),
        ("<svg \(name)><path d='</svg>", .truncated(.svg)),
        ("<svg \(name)></svg><svg>", .continued(.svg)),
        ("<svg \(name)></svg><!-- ", .truncated(.svg)),
        ("<svg \(name)></svg><![CDATA[]]>", .continued(.svg)),
        ("<svg width='0' height='4'></svg>", .zeroSize(.svg)),
        ("<html><svg></svg></html>", .notAnImage(.html)),
        ("<svgx></svgx>", .notAnImage(.xml)),
        ("<!-- <svg> ", .notAnImage(.xml)),
    ])
    func `one that is cut short, or of another kind, is refused`(_ text: String, _ fault: ImageError) {
        #expect(throws: fault) { try ImageInfo(of: Array(text.utf8).span) }
    }

    @Test
    func `a cut at any byte is refused`() {
        let text =
            Array(
                "<?xml version='1.0'?><svg \(Self.name) width='3' height='4'><!-- > --><g a='>'><svg><path d='M0'/></svg>"
                    .utf8) + Array("<![CDATA[</svg>]]><?a </svg>?></g></svg>".utf8)
        #expect(throws: Never.self) { try ImageInfo(of: (text + Array("<?b?> <!-- -->\n".utf8)).span) }
        for count in 0..<text.count {
            #expect(throws: ImageError.self) { try ImageInfo(of: text.span.extracting(..<count)) }
        }
    }
}
