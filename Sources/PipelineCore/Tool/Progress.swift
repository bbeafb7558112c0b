// Decides when to draw the progress line: not in short runs, and at most ten times a second. It only checks when it
// is updated, once for each block or page. `TerminalLine` knows where to draw.

import Synchronization

package final class Progress: Sendable {
    private static let intervalNanoseconds: Int64 = 100_000_000
    private let state: Mutex<(figures: ProgressFigures, dueNanoseconds: Int64)>
    private let begunNanoseconds: Int64
    private let patientNanoseconds: Int64
    private let clock: @Sendable () -> Int64
    private let width: @Sendable () -> Int
    private let draw: @Sendable (String) -> Void

    /// - Parameter delayNanoseconds: nothing is drawn before; while no total is known nothing before the patience ends.
    package init(
        _ name: String, delayNanoseconds: Int64, patienceNanoseconds: Int64 = 0,
        clock: @escaping @Sendable () -> Int64 = { MonotonicClock.nanoseconds },
        width: @escaping @Sendable () -> Int = { Terminal.columns(of: .standardError) },
        draw: @escaping @Sendable (String) -> Void = { TerminalLine.draw($0) }
    ) {
        begunNanoseconds = clock()
        patientNanoseconds = begunNanoseconds + patienceNanoseconds
        self.clock = clock
        self.width = width
        self.draw = draw
        state = Mutex((ProgressFigures(name: name), begunNanoseconds + delayNanoseconds))
    }

    package func update(_ change: (inout ProgressFigures) -> Void) {
        state.withLock { state in
            change(&state.figures)
            let now = clock()
            guard now >= state.dueNanoseconds, now >= patientNanoseconds || state.figures.totalRecords != nil else {
                return
            }
            state.dueNanoseconds = now + Self.intervalNanoseconds
            // One column stays free: in the last one some terminals go to the next line.
            draw(state.figures.line(seconds: Double(now - begunNanoseconds) / 1e9, width: width() - 1))
        }
    }

    static let variable = "CASTLINE_PROGRESS"
    /// For help and manual.
    static let advice = (
        name: variable, meaning: "always: show progress on stderr, terminal or not. never: show none."
    )

    /// What the user's environment asks for. As with other such variables, a value without a meaning has no effect.
    static var wish: TerminalMode {
        switch Environment.value(variable) {
        case "always": .always
        case "never": .never
        default: .auto
        }
    }

    /// The progress display of a mode in this run, by itself if stderr is a terminal; nil if nothing is to be drawn.
    /// - Parameter writesRecords: stdout carries records, which would mix with the line on a terminal.
    package static func chosen(_ mode: TerminalMode, name: String, writesRecords: Bool) -> Progress? {
        switch mode {
        case .never: return nil
        case .always: return Progress(name, delayNanoseconds: 0)
        case .auto:
            guard Descriptor.standardError.isTerminal, Terminal.canErase else { return nil }
            if writesRecords, Descriptor.standardOutput.isTerminal { return nil }
            // Of the tools of a pipeline the first knows most about the whole run, then one that knows a total.
            guard Descriptor.standardInput.isPipe else { return Progress(name, delayNanoseconds: 500_000_000) }
            return Progress(name, delayNanoseconds: 1_000_000_000, patienceNanoseconds: 2_000_000_000)
        }
    }
}

/// A run's progress, and the one line that shows it:
///
///     fetch-characters: 2150 of 7438 records, 12 s left, 430/s, 1.2 MB
///     fetch-characters: waiting 58 s for api.example.org (429), 2150 of 7438 records, 1.2 MB
///     fetch-characters: no response from api.example.org for 12 s, 2150 of 7438 records, 1.2 MB
///
/// The most important part comes first, since a narrow terminal shows no more.
package struct ProgressFigures: Equatable, Sendable {
    /// What a run waits for while nothing moves.
    package enum Pause: Equatable, Sendable {
        /// So long before the next request. The reason is a host, and why in parentheses, if known.
        case wait(seconds: Int, reason: String)
        /// So long nothing has come from a host.
        case silence(seconds: Int, host: String)

        fileprivate var text: String {
            switch self {
            case .wait(let seconds, let reason):
                "waiting \(ProgressFigures.duration(seconds)) for \(Diagnostics.printable(reason))"
            case .silence(let seconds, let host):
                "no response from \(Diagnostics.printable(host)) for \(ProgressFigures.duration(seconds))"
            }
        }
    }

    package let name: String
    package var records = 0
    /// Those of them that an earlier run had.
    package var earlier = 0
    /// Nil if unknown.
    package var totalRecords: Int?
    /// The total is an upper bound.
    package var isMost = false
    package var bytes = 0
    /// Nil if unknown.
    package var totalBytes: Int?
    /// What is being read, such as a file's name; empty if that goes without saying.
    package var subject = ""
    /// Nil while something moves.
    package var pause: Pause?

    package init(name: String) { self.name = name }

    package func line(seconds: Double, width: Int) -> String {
        let limit = max(1, width)
        var parts = [records(of: totalRecords)]
        if totalRecords == nil, let done { parts.append("\(Int(done * 100)) %") }
        if let pause {
            // The time left and the rate mean nothing during a pause.
            parts.insert(pause.text, at: 0)
        } else {
            if let rest = secondsLeft(after: seconds) { parts.append("\(Self.duration(rest)) left") }
            if seconds >= 0.1 { parts.append("\(Self.rate(Double(records - earlier) / seconds))/s") }
        }
        parts.append(Self.size(bytes) + (totalBytes.map { " of \(Self.size($0))" } ?? ""))
        if !subject.isEmpty { parts.append(Diagnostics.printable(subject)) }
        var line = "\(name): \(parts.removeFirst())"
        for part in parts {
            guard DisplayWidth.columns(of: line) + 2 + DisplayWidth.columns(of: part) <= limit else { break }
            line += ", " + part
        }
        return String(DisplayWidth.cut(line, to: limit))
    }

    private func records(of total: Int?) -> String {
        guard let total, total >= records else { return records == 1 ? "1 record" : "\(records) records" }
        return "\(records) of \(isMost ? "at most " : "")\(total) records"
    }

    /// The fraction done, by records if their number is known, else by bytes; nil if neither is known, or if more
    /// came than was announced.
    private var done: Double? {
        let (count, total) = totalRecords.map { (records, $0) } ?? (bytes, totalBytes ?? 0)
        return total > 0 && count <= total ? Double(count) / Double(total) : nil
    }

    private func secondsLeft(after seconds: Double) -> Int? {
        guard let done, done > 0, seconds >= 1 else { return nil }
        let begun = totalRecords.map { Double(earlier) / Double($0) } ?? 0
        guard done > begun else { return nil }
        let rest = (seconds * (1 - done) / (done - begun)).rounded(.up)
        return rest < 360_000 ? Int(rest) : nil
    }

    /// `12 s`, `3:05`, `2:03:05`.
    static func duration(_ seconds: Int) -> String {
        let two = { (number: Int) in String(number).padded(to: 2) }
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60):\(two(seconds % 60))" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// `0.3`, `430`, `3.1 M`.
    static func rate(_ perSecond: Double) -> String {
        perSecond < 10 ? tenths(perSecond) : scaled(perSecond, from: 100_000)
    }

    /// `512 B`, `1.2 kB`, `3.4 GB`, in powers of 1,000.
    static func size(_ bytes: Int) -> String {
        let text = scaled(Double(bytes), from: 1000)
        return text.last?.isLetter == true ? text + "B" : text + " B"
    }

    private static func scaled(_ value: Double, from least: Double) -> String {
        guard value >= least else { return "\(Int(value))" }
        var value = value / 1000
        for unit in ["k", "M", "G"] {
            if value < 999.95 { return tenths(value) + " " + unit }
            value /= 1000
        }
        return tenths(value) + " T"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
