// The member that tells what came of a picture.

import PipelineCore
import PipelineHTTP
import Testing
import fetch_images

@Suite("The added member")
struct ImageOutcomeTests {
    private static func text(
        _ outcome: ImageOutcome, _ url: String?, name: String = "imageFile", tellsFetch: Bool = false
    ) -> String {
        var text = ByteBuffer()
        outcome.write(name, url: url, tellsFetch: tellsFetch, to: &text)
        return text.span.text
    }

    private static var gone: ImageOutcome {
        var outcome = ImageOutcome(.failed)
        outcome.http = 404
        outcome.attempts = 2
        outcome.fault = ImageFault("\"gone\"\u{7}")
        return outcome
    }

    @Test(arguments: [false, true])
    func `a record without a URL says so, and nothing of a fetch`(tellsFetch: Bool) {
        let text = Self.text(ImageOutcome(.none), nil, tellsFetch: tellsFetch)
        #expect(text == #""imageFile":{"status":"none"}"#)
    }

    @Test
    func `a failure tells the URL and the reason, and the answer and the tries where they are asked for`() {
        let member = #""a\nb":{"url":"http://x/\"","status":"failed","error":"\"gone\"\u0007""#
        #expect(Self.text(Self.gone, "http://x/\"", name: "a\nb") == member + "}")
        #expect(
            Self.text(Self.gone, "http://x/\"", name: "a\nb", tellsFetch: true)
                == member + #","fetch":{"http":404,"attempts":2}}"#)
    }

    @Test(arguments: ImageOutcome.Origin.allCases)
    func `a picture tells how it was got only where that is asked for`(origin: ImageOutcome.Origin) {
        var outcome = ImageOutcome(.ok)
        outcome.origin = origin
        outcome.http = origin == .data ? nil : 200
        #expect(Self.text(outcome, nil) == #""imageFile":{"status":"ok"}"#)
        let http = origin == .data ? "" : #","http":200"#
        #expect(
            Self.text(outcome, nil, tellsFetch: true)
                == #""imageFile":{"status":"ok","fetch":{"how":"\#(origin)"\#(http),"attempts":0}}"#)
    }

    @Test(arguments: [
        ImageFault("not an image but JSON; check the URL"), ImageFault("a", kind: "b"),
        ImageFault(HTTPFailure(.status(404))),
    ])
    func `a fault is what it was after the cache had it as a note, and no picture's note is one`(fault: ImageFault)
    {
        #expect(ImageFault(note: fault.note) == fault)
        for text in ["", "!", "!a", "!a\nb\nc", "ab12 7 png", "ab12 7 png\n8"] {
            #expect(ImageFault(note: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
