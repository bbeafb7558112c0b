// A saved place with numbers that no run has written, and with a sum that is right.

import PipelineCore
import TestSupport
import Testing

@Suite struct FetchStateNumberTests {
    /// A line of a place with another value of one of its members.
    private static func changed(_ line: Substring, _ member: String, _ value: String) -> String {
        let name = "\"\(member)\":"
        guard let start = line.firstRange(of: name)?.upperBound,
            let sum = line.firstRange(of: ",\"sum\"")?.lowerBound
        else { return String(line) }
        let end = line[start...].firstIndex { $0 == "," || $0 == "}" } ?? line.endIndex
        let text = line[..<start] + value + line[end..<sum]
        return "\(text),\"sum\":\"\(String(ByteHash(seed: 0).hash(Array(text.utf8).span), radix: 16))\"}"
    }

    /// What a number may be that no run has written.
    private static let values = [
        "-1", "-9223372036854775808", "1099511627777", "9223372036854775807", "9223372036854775808", "1e308", "0.5",
        "null",
    ]

    @Test(arguments: ["items", "recordsIn", "recordsOut", "records", "count", "unseen", "distinct", "repeats"])
    func `a number of things that can't have come is a damaged place`(member: String) throws {
        let server = try LocalServer(faults: ["page=3,status=404"])
        let folder = try ScratchFolder()
        let arguments = FetchStateTests.arguments(server, ["--page-size", "2"])
        #expect(try Session("fetch-characters", arguments, folder: folder).status == 76)
        let lines = try folder.text("state").split(separator: "\n")
        #expect(lines.count == 3)
        for value in Self.values {
            // What the service has said may be any number, and none.
            let isStated = member == "count" && !value.hasPrefix("-")
            // In each line that can have it, and in both: their sums count too.
            for changes in [[1], [2], [1, 2]] {
                let place = lines.enumerated().map { number, line in
                    changes.contains(number) ? Self.changed(line, member, value) : String(line)
                }
                try folder.write(place.map { $0 + "\n" }.joined().utf8, to: "state")
                let run = try Session("fetch-characters", arguments, folder: folder)
                if isStated {
                    #expect(run.status < 128 && run.status != 70, "\(value) \(run.errors)")
                } else {
                    #expect(run.status == 65 && run.errors.contains("damaged"), "\(value) \(run.errors)")
                }
            }
        }
    }
}
