// The policy for lines that are not records: each is named on stderr, and then the run goes on or ends.

/// What has been wrong with the input, and what to do about it.
package struct BadLines: Sendable {
    /// `--on-bad-line`.
    package enum Policy: Sendable {
        case skip
        case stop
    }

    package let policy: Policy
    /// Lines that were skipped, or the one that ended the run.
    package private(set) var count = 0

    package init(policy: Policy) { self.policy = policy }

    /// Reports a line that isn't a record, as `<stdin>:17:93: expected ':' after a member name`.
    /// - Throws: status 65 under `stop`; the message is the failure's then.
    package mutating func report(
        _ error: JSONError, line: Int, of input: String, to diagnostics: Diagnostics
    ) throws(ToolFailure) {
        // Said once: what the whole input is wrong in, its first line tells.
        let advice = line == 1 ? error.advice.map { "; \($0)" } ?? "" : ""
        try report("\(input):\(line):\(error.offset + 1): \(error)\(advice)", to: diagnostics)
    }

    /// Reports a line of more bytes than `--max-line` allows.
    package mutating func reportTooLong(
        line: Int, of input: String, limitBytes: Int, to diagnostics: Diagnostics
    ) throws(ToolFailure) {
        let column = limitBytes + 1
        try report(
            "\(input):\(line):\(column): expected a line of at most \(limitBytes) bytes; --max-line raises the limit",
            to: diagnostics)
    }

    /// Reports a line in the caller's own words, which begin with the place.
    package mutating func report(_ message: String, to diagnostics: Diagnostics) throws(ToolFailure) {
        count += 1
        guard policy == .skip else { throw ToolFailure(.badData, message) }
        diagnostics.error(message)
    }
}
