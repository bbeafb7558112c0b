// The last message of a run with failures.

import PipelineHTTP
import Testing
import fetch_images

@Suite("The causes of failures")
struct FailureCausesTests {
    private static func summary(_ faults: [ImageFault]) -> String? {
        var causes = FailureCauses()
        for (index, fault) in faults.enumerated() { causes.count(fault, line: index + 1) }
        return causes.summary(records: 120, input: "<stdin>")
    }

    private static let json = ImageFault(.notAnImage(.json))

    @Test
    func `where nothing failed there is no message`() { #expect(Self.summary([]) == nil) }

    @Test
    func `one cause is told with its first line and its cure`() {
        #expect(
            Self.summary([Self.json, Self.json])
                == "2 of 120 records got no picture: not an image but JSON, first at <stdin>:1; check the URL")
    }

    @Test
    func `of several causes the most frequent comes first, and its cure last`() {
        let gone = ImageFault("a answered 404; check the address")
        #expect(
            Self.summary([Self.json, gone, gone])
                == "3 of 120 records got no picture: 2 times a answered 404, first at <stdin>:2; "
                + "once not an image but JSON, first at <stdin>:1; check the address")
    }

    @Test
    func `failures that differ in what belongs to one picture alone are one cause`() {
        let dead = ["a", "b"].map {
            ImageFault(
                "\($0) refused the connection; look", kind: "each of several hosts refused the connection; look")
        }
        #expect(
            Self.summary(dead)
                == "2 of 120 records got no picture: each of several hosts refused the connection, first at <stdin>:1; look"
        )
        let large = [(5, 6), (7, 8)].map { ImageFault(.tooManyPixels(.png, width: $0.0, height: $0.1, limit: 9)) }
        #expect(
            Self.summary(large)
                == "2 of 120 records got no picture: a picture of more than 9 pixels, first at <stdin>:1; "
                + "--max-pixels allows it")
        let schemes = ["ftp", "file"].map { ImageFault(HTTPFailure(.refusedScheme($0))) }
        #expect(Self.summary(schemes)?.contains(": a URL of another scheme is refused, first") == true)
        #expect(Self.summary([schemes[0]])?.contains(": a URL of the scheme ftp is refused, first") == true)
    }

    @Test
    func `however many causes there are, five are named, and all are counted`() throws {
        let faults = (0..<1000).flatMap { [ImageFault("cause \($0); cure \($0)"), Self.json] }
        let summary = try #require(Self.summary(faults))
        #expect(
            summary == "2000 of 120 records got no picture: 1000 times not an image but JSON, first at <stdin>:2; "
                + "once cause 0, first at <stdin>:1; once cause 1, first at <stdin>:3; "
                + "once cause 2, first at <stdin>:5; once cause 3, first at <stdin>:7; 996 for other reasons; check the URL"
        )
        let long = ImageFault(HTTPFailure(.refusedScheme(String(repeating: "x", count: 1 << 16))))
        #expect(try #require(Self.summary([long])).count < 400)
    }

    @Test
    func `the first line is that of the input, in whatever order they come`() {
        var causes = FailureCauses()
        for line in [9, 4, 7] { causes.count(Self.json, line: line) }
        #expect(causes.summary(records: 9, input: "f")?.contains("first at f:4;") == true)
    }
}
