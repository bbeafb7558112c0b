// Decides when to draw the progress line: not in short runs, and at most ten times a second. It only checks when it
// is updated, once for each block or page. `TerminalLine` knows where to draw.

import Synchronization

/// The progress of a run.
package final class Progress: Sendable {
    /// `--progress`.
    package enum Mode: Sendable {
        /// If stderr is a terminal.
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
    ///   - clock: monotonic nanoseconds.
    ///   - width: the terminal's current columns.
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

    /// Changes the figures, and draws them if that is due.
    package func update(_ change: (inout ProgressFigures) -> Void) {
        state.withLock { state in
            change(&state.figures)
            let now = clock()
            guard now >= state.dueNanoseconds else { return }
            state.dueNanoseconds = now + Self.intervalNanoseconds
            // One column stays free: in the last one some terminals go to the next line.
            draw(state.figures.line(seconds: Double(now - begunNanoseconds) / 1e9, width: width() - 1))
        }
    }

    /// The progress display of a mode in this run; nil if nothing is to be drawn.
    /// - Parameter writesRecords: stdout carries records, which would mix with the line on a terminal.
    package static func chosen(_ mode: Mode, name: String, writesRecords: Bool) -> Progress? {
        switch mode {
        case .never: return nil
        case .always: return Progress(name, delayNanoseconds: 0)
        case .auto:
            guard Descriptor.standardError.isTerminal, Terminal.canErase else { return nil }
            if writesRecords, Descriptor.standardOutput.isTerminal { return nil }
            // The first tool of a pipeline knows most about the whole run, so it gets a head start.
            return Progress(
                name, delayNanoseconds: Descriptor.standardInput.isPipe ? 1_000_000_000 : 500_000_000)
        }
    }
}
