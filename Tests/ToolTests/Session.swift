// One run of a tool, or of a script that joins several: what goes in, what comes out.
//
//     let run = try Session("filter-search", ["Mick"], input: #"{"name":"Mick"}"#.utf8)
//     #expect(run.status == 0)
//     let pipe = try Session.script("fetch-characters | filter-search Mick | store-plist", directory: directory)

import Foundation
import TestSupport
import Testing

/// A run that has ended.
///
/// The environment is clean: PATH with the executables' directory first, a home and a cache that are the run's own, and
/// what the caller adds. So no test depends on the developer's settings, proxies or cached answers.
struct Session {
    /// The exit code, or 128 and the number of the signal that ended the run.
    let status: Int32
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    /// The lines of the output without their ends.
    var lines: [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Runs a built executable to its end.
    /// - Parameters:
    ///   - name: of a built executable, or a path.
    ///   - environment: added to the clean one.
    ///   - directory: where it runs; a directory of its own, removed afterwards, where none is given.
    ///   - limitSeconds: after these the run and all it has started are killed, and the test fails.
    init(
        _ name: String, _ arguments: [String] = [], input: some Sequence<UInt8> = EmptyCollection<UInt8>(),
        environment: [String: String] = [:], folder: ScratchFolder? = nil, limitSeconds: Double = 60,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let home = try ScratchFolder()
        let child = try ChildProcess(
            Executables.path(name), arguments, environment: Self.environment(home, environment),
            folder: (folder ?? home).path)
        child.write(input)
        child.closeInput()
        if !child.finish(limitSeconds: limitSeconds) {
            Issue.record(
                "\(name) was killed after \(limitSeconds) s; stderr: \(child.errors.suffix(500))",
                sourceLocation: sourceLocation)
        }
        status = child.status ?? -1
        output = child.output
        errors = child.errors
    }

    /// Runs a script in bash, in which the built executables are commands.
    static func script(
        _ text: String, input: some Sequence<UInt8> = EmptyCollection<UInt8>(), environment: [String: String] = [:],
        folder: ScratchFolder? = nil, limitSeconds: Double = 60, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Session {
        try Session(
            "/bin/bash", ["-c", text], input: input, environment: environment, folder: folder,
            limitSeconds: limitSeconds, sourceLocation: sourceLocation)
    }

    static let hasTerminal = Programs.path(["script"]) != nil

    /// Runs a command at a terminal, which `script` of util-linux stands for. What both streams have comes in one.
    static func terminal(_ command: String, folder: ScratchFolder? = nil) throws -> Session {
        try script(
            "script -qec \"\(command)\" /dev/null </dev/null | tr -d '\\r'; exit ${PIPESTATUS[0]}", folder: folder)
    }

    /// The clean environment with `added` in it, for those who start a `ChildProcess` themselves.
    static func environment(_ home: ScratchFolder, _ added: [String: String] = [:]) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var clean = [
            "PATH": Executables.folder + ":" + (own["PATH"] ?? "/usr/bin:/bin"), "HOME": home.path,
            "TMPDIR": home.path, "XDG_CACHE_HOME": home.path("cache"), "XDG_STATE_HOME": home.path("state"),
            "XDG_RUNTIME_DIR": home.path,
            // What is installed on the machine has descriptions of sources too.
            "XDG_DATA_DIRS": home.path("share"),
        ]
        // The run-time library of a debug build, and the switches of sanitisers, belong to the build.
        for name in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            clean[name] = own[name]
        }
        return clean.merging(added) { $1 }
    }
}
