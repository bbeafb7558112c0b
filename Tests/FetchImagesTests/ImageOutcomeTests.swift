// The member that tells what came of a picture.

import PipelineCore
import Testing
import fetch_images

@Suite("The added member")
struct ImageOutcomeTests {
    private static func text(_ outcome: ImageOutcome, _ url: String?, name: String = "imageFile") -> String {
        var text = ByteBuffer()
        outcome.write(name, url: url, to: &text)
        return text.span.text
    }

    @Test
    func `a record without a URL says so`() {
        #expect(Self.text(ImageOutcome(.none), nil) == #""imageFile":{"status":"none"}"#)
    }

    @Test
    func `a failure tells the URL, the answer, the tries and the reason`() {
        var outcome = ImageOutcome(.failed)
        outcome.http = 404
        outcome.attempts = 1
        outcome.error = "\"gone\"\u{7}"
        #expect(
            Self.text(outcome, "http://x/\"", name: "a\nb")
                == #""a\nb":{"url":"http://x/\"","status":"failed","http":404,"attempts":1,"error":"\"gone\"\u0007"}"#
        )
    }
}
