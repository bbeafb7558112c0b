// The line of progress: what it says at any width, and when it is drawn.

import PipelineCore
import Synchronization
import Testing

@Suite("The line of progress")
struct ProgressTests {
    struct Case: Sendable {
        let records: Int, earlier: Int, total: Int?, bytes: Int, totalBytes: Int?, seconds: Double, line: String

        init(
            _ records: Int, earlier: Int = 0, _ total: Int?, _ bytes: Int, _ totalBytes: Int?, _ seconds: Double,
            _ line: String
        ) {
            (self.records, self.earlier, self.total, self.bytes) = (records, earlier, total, bytes)
            (self.totalBytes, self.seconds, self.line) = (totalBytes, seconds, line)
        }
    }

    static let cases = [
        Case(0, nil, 0, nil, 0, "tool: 0 records, 0 B"),
        Case(1, nil, 999, nil, 0.5, "tool: 1 record, 2.0/s, 999 B"),
        Case(2150, 7438, 1_234_567, nil, 5, "tool: 2150 of 7438 records, 13 s left, 430/s, 1.2 MB"),
        Case(2150, earlier: 2000, 7438, 10, nil, 5, "tool: 2150 of 7438 records, 2:57 left, 30/s, 10 B"),
        Case(2000, earlier: 2000, 7438, 10, nil, 5, "tool: 2000 of 7438 records, 0.0/s, 10 B"),
        Case(7438, 7438, 1000, nil, 10, "tool: 7438 of 7438 records, 0 s left, 743/s, 1.0 kB"),
        Case(9, 5, 10, nil, 10, "tool: 9 records, 0.9/s, 10 B"),
        Case(100, nil, 50, 200, 60, "tool: 100 records, 25 %, 3:00 left, 1.7/s, 50 B of 200 B"),
        Case(1, 8000, 5, nil, 1, "tool: 1 of 8000 records, 2:13:19 left, 1.0/s, 5 B"),
        Case(1, 1_000_000, 5, nil, 10, "tool: 1 of 1000000 records, 0.1/s, 5 B"),
        Case(1, 3600, 5, nil, 100, "tool: 1 of 3600 records, 99:58:20 left, 0.0/s, 5 B"),
        Case(1, 3602, 5, nil, 100, "tool: 1 of 3602 records, 0.0/s, 5 B"),
        Case(0, 0, 0, 0, 3, "tool: 0 of 0 records, 0.0/s, 0 B of 0 B"),
        Case(
            5_000_000, nil, 999_960_000, nil, 1, "tool: 5000000 records, 5.0 M/s, 1.0 GB"),
        Case(5, nil, 300, 200, 5, "tool: 5 records, 1.0/s, 300 B of 200 B"),
    ]

    private static func figures(_ name: String = "tool", _ change: (inout ProgressFigures) -> Void)
        -> ProgressFigures
    {
        var figures = ProgressFigures(name: name)
        change(&figures)
        return figures
    }

    @Test(arguments: cases)
    func `says how far the run is`(_ test: Case) {
        let figures = Self.figures {
            ($0.records, $0.earlier, $0.totalRecords) = (test.records, test.earlier, test.total)
            ($0.bytes, $0.totalBytes) = (test.bytes, test.totalBytes)
        }
        #expect(figures.line(seconds: test.seconds, width: 200) == test.line)
    }

    @Test(arguments: -1...90)
    func `leaves out what doesn't fit, the least important first, and is never too wide`(_ width: Int) {
        let figures = Self.figures("fetch-characters") {
            ($0.records, $0.totalRecords, $0.bytes, $0.subject) = (2150, 7438, 1_200_000, "ホシノ・ツキ.jsonl")
        }
        let whole = "fetch-characters: 2150 of 7438 records, 13 s left, 430/s, 1.2 MB, ホシノ・ツキ.jsonl"
        let line = figures.line(seconds: 5, width: width)
        #expect(whole.hasPrefix(line))
        #expect(DisplayWidth.columns(of: line) <= max(1, width))
        #expect((line == whole) == (width >= 84))
    }

    @Test
    func `says first what is waited for, and leaves out what the wait makes worthless`() {
        let figures = Self.figures {
            ($0.records, $0.totalRecords, $0.bytes) = (40, 120, 20_000)
            $0.pause = ProgressFigures.Pause.wait(seconds: 90, reason: "api.example.org\u{1B} (429)")
        }
        let line = "tool: waiting 1:30 for api.example.org\\u{1b} (429), 40 of 120 records, 20.0 kB"
        #expect(figures.line(seconds: 5, width: 100) == line)
        #expect(figures.line(seconds: 5, width: 24) == "tool: waiting 1:30 for a")
        let silent = Self.figures {
            ($0.records, $0.totalRecords) = (40, 120)
            $0.pause = .silence(seconds: 12, host: "api.example.org")
        }
        #expect(
            silent.line(seconds: 20, width: 100)
                == "tool: no response from api.example.org for 12 s, 40 of 120 records, 0 B")
    }

    @Test
    func `shows no control character of a name`() {
        let figures = Self.figures { $0.subject = "a\u{1B}[2Jb" }
        #expect(figures.line(seconds: 0, width: 80) == "tool: 0 records, 0 B, a\\u{1b}[2Jb")
    }

    @Test(arguments: [("", 0), ("abc", 3), ("ホシノ", 6), ("e\u{301}", 1), ("한", 2), ("🐟", 2), ("Ａ", 2), ("Łódź", 4)])
    func `counts as many columns as a terminal`(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test
    func `cuts between characters`() {
        #expect(
            (0...7).map { String(DisplayWidth.cut("aホシe\u{301}", to: $0)) } == [
                "", "a", "a", "aホ", "aホ", "aホシ", "aホシe\u{301}", "aホシe\u{301}",
            ])
    }

    /// A clock that a test sets, and what was drawn.
    private final class Watched: Sendable {
        let now = Atomic<Int64>(5_000_000_000)
        let drawn = Mutex<[String]>([])

        func progress(delayMilliseconds: Int64, width: Int = 80) -> Progress {
            Progress(
                "tool", delayNanoseconds: delayMilliseconds * 1_000_000,
                clock: { self.now.load(ordering: .relaxed) }, width: { width },
                draw: { line in self.drawn.withLock { $0.append(line) } })
        }

        func wait(milliseconds: Int64) { now.add(milliseconds * 1_000_000, ordering: .relaxed) }
        var lines: [String] { drawn.withLock { $0 } }
    }

    @Test
    func `is drawn ten times a second at most, and not in a run that is over soon`() {
        let watched = Watched()
        let progress = watched.progress(delayMilliseconds: 500)
        for _ in 0..<499 {
            progress.update { $0.records += 1 }
            watched.wait(milliseconds: 1)
        }
        #expect(watched.lines == [])
        for _ in 0..<1000 {
            watched.wait(milliseconds: 1)
            progress.update { $0.records += 1 }
        }
        #expect(watched.lines.count == 10)
        #expect(watched.lines.first == "tool: 500 records, 1000/s, 0 B")
        #expect(watched.lines.last == "tool: 1400 records, 1000/s, 0 B")
    }

    @Test
    func `leaves the terminal's last column free`() {
        let watched = Watched()
        watched.progress(delayMilliseconds: 0, width: 10).update { $0.records = 12_345 }
        #expect(watched.lines == ["tool: 123"])
    }

    @Test
    func `is not drawn where nobody asked for it`() {
        #expect(Progress.chosen(.never, name: "tool", writesRecords: false) == nil)
        #expect(Progress.chosen(.always, name: "tool", writesRecords: true) != nil)
    }
}
