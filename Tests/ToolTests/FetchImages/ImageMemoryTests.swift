// The memory of fetch-images over a long input: what is kept of a record must go with it.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "no /proc"))
struct ImageMemoryTests {
    /// URLs that differ from line to line and reach every part but the network: refused ones, pictures in the line, and
    /// an address that the guard refuses.
    private static func lines(_ range: Range<Int>) throws -> [UInt8] {
        let picture = try Data(contentsOf: URL(fileURLWithPath: "\(Fixtures.pictures)/key.svg"))
            .base64EncodedString()
        var text = ""
        for number in range {
            let url =
                switch number % 8 {
                case 0, 1, 2: "ftp://a.example/\(number).png"
                case 3: "http://127.0.0.1:9/\(number).png"
                case 4: "data:image/svg+xml;name=\(number);base64,\(picture)"
                default: "/relative/\(number).png"
                }
            text += "{\"id\":\(number),\"name\":\"Mick\",\"imageURL\":\"\(url)\"}\n"
        }
        return Array(text.utf8)
    }

    /// The most memory so far, once that many lines are written, in KiB.
    private static let peak = """
        peak() {
          until [ "$(wc -l <out)" = "$1" ]; do kill -0 $pid || exit 1; sleep 0.05; done
          sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$pid/status
        }
        """

    @Test(arguments: [[], ["--name", "'{name}'"]])
    func `memory doesn't grow with the lines`(arguments: [String]) throws {
        let folder = try ScratchFolder()
        try folder.write(Self.lines(0..<20_000), to: "first")
        try folder.write(Self.lines(20_000..<80_000), to: "second")
        // The input stays open, so that the tool is there to be looked at when it has written all.
        let script = """
            mkfifo in; fetch-images -q \(arguments.joined(separator: " ")) <in >out 2>errors & pid=$!
            exec 3>in
            \(Self.peak)
            cat first >&3; peak 20000; cat second >&3; peak 80000; exec 3>&-; wait $pid; echo $?
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 120)
        let numbers = run.lines.compactMap { Int($0) }
        #expect(numbers.count == 3 && numbers.last == 76, "\(run.text)\(run.errors)")
        guard numbers.count == 3 else { return }
        #expect(numbers[1] < 64 * 1024)
        #expect(numbers[1] - numbers[0] < 8 * 1024, "\(numbers)")
    }

    /// Each is a kilobyte or two as sent, and more than the 64 MiB that one picture may have.
    @Test(arguments: [(bombs: 16, perHost: 16), (bombs: 24, perHost: 64)])
    func `bodies that are inflated at once have one limit together, and all come to their end`(
        bombs: Int, perHost: Int
    ) throws {
        let server = try LocalServer(faults: ["path=/images/fox,gzip-bomb"])
        let folder = try ScratchFolder()
        let pictures = (0..<bombs).map { "fox.png?\($0)" } + (0..<8).map { "cat.png?\($0)" }
        let urls = pictures.map { "\(server.url)/images/\($0)" }
        try folder.write(ImageRun.input(urls).utf8, to: "records")
        let script = """
            mkfifo in; fetch-images -q --allow-private --cache none --retries 0 --timeout 5m \
              --per-host \(perHost) <in >out 2>errors &
            pid=$!; exec 3>in
            \(Self.peak)
            cat records >&3; peak \(urls.count); exec 3>&-; wait $pid; echo $?
            grep -c '"status":"ok"' out; grep -c '"error":"a picture of more than 67108864 bytes' out
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 300)
        let numbers = run.lines.compactMap { Int($0) }
        try #require(numbers.count == 4, "\(run.text)\(run.errors)")
        #expect(numbers[0] < 320 * 1024, "\(numbers)")
        let errors = try folder.text("errors")
        #expect(numbers.dropFirst() == [76, 8, bombs], "\(errors)")
    }

    /// Records of that many bytes at least, each made to be taken apart into as many pieces as it has bytes.
    private static let hostile: [(name: String, head: String, unit: String, tail: String)] = [
        ("a box", "data:image/svg+xml,<svg viewBox='", "1 ", "'/>"),
        ("a width", "data:image/svg+xml,<svg width='", "1 ", "' height='1'/>"),
        ("parameters", "data:", ";", ",<svg/>"), ("attributes", "data:,<svg ", "a='' ", "/>"),
        ("tags", "data:,<svg>", "<a/>", "</svg>"), ("percent signs", "data:,<svg>", "%3C", "</svg>"),
        ("a fragment", "data:,<svg/>#", "%", ""), ("base64", "data:;base64,", "AAAA", ""),
        ("a path", "/", "a/", ""),
        ("a host", "http://", "a.", "/"), ("dots", "http://127.0.0.1/", "../", ""),
    ]

    @Test(arguments: hostile.indices)
    func `one record takes at most eight times its bytes`(index: Int) throws {
        let (name, head, unit, tail) = Self.hostile[index]
        let size = 4 << 20
        let folder = try ScratchFolder()
        let url = head + String(repeating: unit, count: size / unit.utf8.count) + tail
        try folder.write("{\"imageURL\":\"\(url)\"}\n".utf8, to: "record")
        let script = """
            mkfifo in; fetch-images -q <in >out 2>errors & pid=$!
            exec 3>in
            \(Self.peak)
            echo '{}' >&3; peak 1; cat record >&3; peak 2; exec 3>&-; wait $pid
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 120)
        let numbers = run.lines.compactMap { Int($0) }
        try #require(numbers.count == 2, "\(name): \(run.text)\(run.errors)")
        #expect((numbers[1] - numbers[0]) * 1024 < 8 * url.utf8.count, "\(name): \(numbers)")
    }
}
