// When the line of progress is drawn: not in runs that are over soon, at most ten times a second, and only when asked
// whether it is due, once for each block or page. Where it is drawn, `TerminalLine` knows.

import Synchronization

/// The progress of a run.
package final class Progress: Sendable {
    /// `--progress`.
    package enum Mode: Sendable {
        /// When a terminal is there to see it.
        case auto
        case always
        case never
    }

    private struct State {
        var figures: ProgressFigures
        var dueNanoseconds: Int64
    }

    private static let intervalNanoseconds: Int64 = 100_000_000
    private let state: Mutex<State>
    private let begunNanoseconds: Int64
    private let clock: @Sendable () -> Int64
    private let width: @Sendable () -> Int
    private let draw: @Sendable (String) -> Void

    /// - Parameters:
    ///   - delayNanoseconds: nothing is drawn before.
    ///   - clock: nanoseconds that only go forward.
    ///   - width: the terminal's columns now.
    package init(
        _ name: String, delayNanoseconds: Int64,
        clock: @escaping @Sendable () -> Int64 = { MonotonicClock.nanoseconds },
        width: @escaping @Sendable () -> Int = { Terminal.columns(of: .standardError) },
        draw: @escaping @Sendable (String) -> Void = { TerminalLine.draw($0) }
    ) {
        begunNanoseconds = clock()
        self.clock = clock
        self.width = width
        self.draw = draw
        state = Mutex(
            State(figures: ProgressFigures(name: name), dueNanoseconds: begunNanoseconds + delayNanoseconds))
    }

    /// Changes the figures, and draws them where that is due.
    package func update(_ change: (inout ProgressFigures) -> Void) {
        state.withLock { state in
            change(&state.figures)
            let now = clock()
            guard now >= state.dueNanoseconds else { return }
            state.dueNanoseconds = now + Self.intervalNanoseconds
            // One column stays free: the last one makes some terminals go to the next line.
            draw(state.figures.line(seconds: Double(now - begunNanoseconds) / 1e9, width: width() - 1))
        }
    }

    /// What a mode comes to in this run, nil where nothing is to be drawn.
    /// - Parameter writesRecords: stdout carries records, which would be mixed with the line on a terminal.
    package static func chosen(_ mode: Mode, name: String, writesRecords: Bool) -> Progress? {
        switch mode {
        case .never: return nil
        case .always: return Progress(name, delayNanoseconds: 0)
        case .auto:
            guard Descriptor.standardError.isTerminal, Terminal.canErase else { return nil }
            if writesRecords, Descriptor.standardOutput.isTerminal { return nil }
            // What begins a pipeline knows more of the whole, so it has a start on the others.
            return Progress(
                name, delayNanoseconds: Descriptor.standardInput.isPipe ? 1_000_000_000 : 500_000_000)
        }
    }
}
