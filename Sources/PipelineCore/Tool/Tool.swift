// What the four tools have in common. Command/Tool+Run.swift has the frame of a run.

package enum Tool {
    package static let version = "0.1.0"
}

/// How a run can end: one table for all four tools.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    case noMatch = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    case tryLater = 75
    case protocolError = 76
    case refused = 77

    package var meaning: String {
        switch self {
        case .done: "all done"
        case .noMatch: "no match, or a difference"
        case .usage: "wrong command line"
        case .badData: "bad input data"
        case .noInput: "an input file can't be opened or read"
        case .unavailable: "service unavailable: DNS, connection or TLS failure, or 5xx"
        case .software: "internal error: please report it"
        case .cannotCreate: "an output file can't be created"
        case .inputOutput: "a read or write failed, for example on a full disk"
        case .tryLater: "try again later: rate limit, deadline, or file in use"
        case .protocolError: "the response or the list isn't as the service promises"
        case .refused: "refused: 401, 403, missing key or forbidden address"
        }
    }

    /// Of several statuses a run ends with the one whose rank is lowest.
    private var rank: Int {
        switch self {
        case .inputOutput: 0
        case .noInput: 1
        case .badData: 2
        case .usage: 3
        case .cannotCreate: 4
        case .software: 5
        case .unavailable, .tryLater, .protocolError, .refused: Int(rawValue)
        case .noMatch: 100
        case .done: 101
        }
    }

    package func combined(with other: ExitStatus) -> ExitStatus { rank <= other.rank ? self : other }

    /// Whether a tool can end with it: the fetch tools send requests, and store-plist may wait for another run.
    func isPossible(for tool: String) -> Bool {
        switch self {
        case .done, .usage, .badData, .noInput, .software, .cannotCreate, .inputOutput: true
        case .noMatch: tool != "fetch-images"
        case .tryLater: tool != "filter-search"
        case .unavailable, .protocolError, .refused: tool.hasPrefix("fetch-")
        }
    }

    /// Whether the same run may succeed later.
    package var mayPass: Bool {
        switch self {
        case .unavailable, .tryLater: true
        case .done, .noMatch, .usage, .badData, .noInput, .software, .cannotCreate, .inputOutput, .protocolError,
            .refused:
            false
        }
    }

    /// Whether it may come from a service, as 75 may also come from a file in use.
    package var isOfService: Bool {
        switch self {
        case .unavailable, .tryLater, .protocolError, .refused: true
        case .done, .noMatch, .usage, .badData, .noInput, .software, .cannotCreate, .inputOutput: false
        }
    }
}

/// What ends a run early: the status, and one line that says what happened and what to do about it.
package struct ToolFailure: SystemFailure, Equatable, Sendable {
    package let status: ExitStatus
    /// One line in lower case, without the tool's name. Empty once reported.
    package let message: Message

    package init(_ status: ExitStatus, _ message: Message) {
        self.status = status
        self.message = message
    }

    /// A read from or write to a stream failed.
    package init(_ error: SystemError) { self.init(.inputOutput, error.advice) }

    /// Reports the failure now, for a run that ends with it later.
    package func told(by diagnostics: Diagnostics) -> ToolFailure {
        if !Signals.isRequested { diagnostics.error(message) }
        return ToolFailure(status, "")
    }
}

extension ToolFailure {
    /// Does what may fail in the system, which ends the run as the failure says.
    package static func of<Result: ~Copyable>(
        _ call: @autoclosure () throws(SystemError) -> Result, as failure: (SystemError) -> ToolFailure
    ) throws(ToolFailure) -> Result {
        do throws(SystemError) { return try call() } catch { throw failure(error) }
    }

    /// Does what may fail in the system, which ends the run with a status.
    /// - Parameter cure: what to do about it, unless its cause says that.
    @discardableResult
    package static func of<Result: ~Copyable>(
        _ status: ExitStatus, orElse cure: String, _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(ToolFailure) -> Result {
        try of(call()) {
            ToolFailure(status, status == .cannotCreate ? $0.advice(toCreateOr: cure) : $0.advice(orElse: cure))
        }
    }
}
