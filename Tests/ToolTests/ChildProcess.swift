// A process that a test has started, with a pipe on each of its three streams.
//
// It is spawned in a process group of its own with the default signal actions, so that a time limit ends it together
// with what it has started, and so that SIGPIPE and SIGINT do in it what they do under a shell.

import Foundation
import TestSupport

/// A running child. Its output is read while it runs, so that no pipe ever stands full.
final class ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let process: pid_t
    private var input: Int32
    private var streams: [Stream]
    private var pendingInput: ArraySlice<UInt8> = []
    private var closesInput = false
    private var reapedStatus: Int32?

    private struct Stream {
        var number: Int32
        var bytes: [UInt8] = []
        /// What was handed out by `line` already.
        var taken = 0
    }

    /// All that has come on stdout so far.
    var output: [UInt8] { streams[0].bytes }
    /// All that has come on stderr so far.
    var errors: String { String(decoding: streams[1].bytes, as: UTF8.self) }
    /// Its exit code, or 128 and the signal that ended it; nil while it isn't known to have ended.
    var status: Int32? { reapedStatus }

    /// - Parameter environment: all of it; nothing is inherited.
    init(_ path: String, _ arguments: [String], environment: [String: String], folder: String) throws {
        _ = Self.ignoresBrokenPipes
        let ends = try Spawn.pipes()
        process = try Spawn.start(
            path, arguments, environment: environment.map { $0.key + "=" + $0.value }, folder: folder, ends)
        input = ends.parentInput
        streams = [Stream(number: ends.parentOutput), Stream(number: ends.parentErrors)]
    }

    /// Starts a built executable in a directory that is its home too.
    convenience init(
        _ name: String, _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:]
    ) throws {
        try self.init(
            Executables.path(name), arguments, environment: Session.environment(folder, environment),
            folder: folder.path)
    }

    /// The tests write to children that may have ended; that is an error of the call, not the end of the tests.
    private static let ignoresBrokenPipes: Void = { _ = Foundation.signal(SIGPIPE, SIG_IGN) }()

    deinit {
        if reapedStatus == nil {
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
        }
        for number in [input, streams[0].number, streams[1].number] where number >= 0 { close(number) }
    }

    /// Gives it more to read. The bytes go out as it takes them, while this object is waiting for something.
    func write(_ bytes: some Sequence<UInt8>) { pendingInput += Array(bytes) }

    /// Ends its input when all that was written has gone out.
    func closeInput() { closesInput = true }

    /// Sends a signal to it alone.
    func signal(_ number: Int32) { kill(process, number) }

    /// The next line of its stdout without the line end; nil where none has come when the output or the time is over.
    func line(limitSeconds: Double = 30) -> String? {
        let end = Self.now + limitSeconds
        while true {
            let rest = streams[0].bytes[streams[0].taken...]
            if let lineEnd = rest.firstIndex(of: 0x0A) {
                streams[0].taken = lineEnd + 1
                return String(decoding: rest[..<lineEnd], as: UTF8.self)
            }
            guard streams[0].number >= 0, Self.now < end else { return nil }
            exchange(until: end)
        }
    }

    /// Waits until it has ended and its output with it, and kills the group where the time is over before.
    /// - Returns: whether it ended by itself.
    func finish(limitSeconds: Double = 60) -> Bool {
        let end = Self.now + limitSeconds
        while streams.contains(where: { $0.number >= 0 }), Self.now < end { exchange(until: end) }
        while !reap(WNOHANG), Self.now < end { usleep(1000) }
        let endedByItself = reapedStatus != nil && !streams.contains { $0.number >= 0 }
        if !endedByItself {
            kill(-process, SIGKILL)
            _ = reap(0)
        }
        return endedByItself
    }

    private func reap(_ options: Int32) -> Bool {
        if reapedStatus != nil { return true }
        var word: Int32 = 0
        guard unsafe waitpid(process, &word, options) == process else { return false }
        reapedStatus = word & 0x7f == 0 ? word >> 8 & 0xff : 128 + word & 0x7f
        return true
    }

    /// Moves what can be moved between the pipes and the buffers, waiting for that a tenth of a second at most.
    private func exchange(until end: Double) {
        if pendingInput.isEmpty, closesInput, input >= 0 {
            close(input)
            input = -1
        }
        var entries = streams.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        entries.append(pollfd(fd: pendingInput.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0))
        let wait = Int32(max(0, min(end - Self.now, 0.1)) * 1000) + 1
        guard unsafe poll(&entries, nfds_t(entries.count), wait) > 0 else { return }
        for index in streams.indices where entries[index].revents != 0 { receive(index) }
        if entries[2].revents != 0 { send() }
    }

    private func receive(_ index: Int) {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(streams[index].number, &block, block.count)
        if count > 0 {
            streams[index].bytes += block[..<count]
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            close(streams[index].number)
            streams[index].number = -1
        }
    }

    private func send() {
        let block = Array(pendingInput.prefix(65_536))
        let count = unsafe Foundation.write(input, block, block.count)
        if count >= 0 {
            pendingInput = pendingInput.dropFirst(count)
        } else if errno != EINTR && errno != EAGAIN {
            // It has closed its input: what is left is not wanted.
            pendingInput = []
            closesInput = true
        }
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }
}
