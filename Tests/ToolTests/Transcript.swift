// A session of the tools as a text file: commands, what they print, and how they end.
//
//     -- records.jsonl                         a file, up to the next command, file or comment
//     {"name":"Mick"}
//
//     $ filter-search mick records.jsonl       run by bash with pipefail, in the session's own directory
//     {"name":"Mick"}                          its standard output, with \n where the last line has no end; an empty
//                                              line is a dot
//     ! filter-search: …                       its standard error
//     [65]                                     its exit status, where it isn't 0
//
// `$SERVER` in a command is the URL of a local server, which is shown as http://SERVER, and files name it so; a file
// called `server` has its faults, one a line, as `local-server --help` lists them, and a file called `server path=/list` is
// what it answers there. The command `requests` prints what it was asked since the last time. `…` at the end of an expected
// line stands for the rest of it. A line that begins with `#` is a comment.

import Foundation
import TestSupport
import Testing

struct Transcript {
    /// A part of the file, in the order in which they come.
    enum Part {
        /// Comments and empty lines, as they are.
        case comment(String)
        case file(name: String, lines: [String])
        /// - result: the expected lines after the command.
        case command(line: Int, text: String, result: [String])
    }

    /// A line that belongs to no command and no file.
    struct StrayLine: Error {
        let number: Int
        let text: String
    }

    private(set) var parts: [Part] = []

    init(_ text: String) throws(StrayLine) {
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("$ ") {
                parts.append(.command(line: index + 1, text: String(line.dropFirst(2)), result: []))
            } else if line.hasPrefix("-- ") {
                parts.append(.file(name: String(line.dropFirst(3)), lines: []))
            } else if line.isEmpty || line.hasPrefix("#") {
                parts.append(.comment(line))
            } else {
                guard add(line) else { throw StrayLine(number: index + 1, text: line) }
            }
        }
    }

    /// Adds a line to the file or the result that it belongs to; a command that ends with a backslash goes on.
    private mutating func add(_ line: String) -> Bool {
        switch parts.last {
        case .file(let name, let lines): parts[parts.count - 1] = .file(name: name, lines: lines + [line])
        case .command(let number, let text, let result):
            let goesOn = result.isEmpty && text.hasSuffix("\\")
            parts[parts.count - 1] =
                goesOn
                ? .command(line: number, text: text + "\n" + line, result: [])
                : .command(line: number, text: text, result: result + [line])
        case .comment, nil: return false
        }
        return true
    }

    /// Runs all commands in one directory.
    /// - Parameter check: gets each command with what was expected and what came.
    /// - Returns: the transcript as it would have to be.
    func run(_ check: (_ line: Int, _ command: String, _ expected: [String], _ actual: [String]) -> Void) throws
        -> String
    {
        let folder = try ScratchFolder()
        let server = try usesServer ? LocalServer(faults: faults) : nil
        var lines: [String] = []
        for part in parts {
            switch part {
            case .comment(let text): lines.append(text)
            case .file(let name, let content):
                let text = content.map { $0 + "\n" }.joined()
                if !name.hasPrefix("server ") {
                    try folder.write(server.map { text.replacing("http://SERVER", with: $0.url) } ?? text, to: name)
                }
                lines += ["-- " + name] + content
            case .command(let number, let text, let expected):
                let run = try Session.script(
                    "set -o pipefail\n\(Self.requests)\n" + text, environment: environment(server, folder),
                    folder: folder)
                let actual = Self.result(of: run, server)
                check(number, text, expected, actual)
                lines += ["$ " + text] + (Self.agree(expected, actual) ? expected : actual)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// All commands share a cache.
    private func environment(_ server: LocalServer?, _ folder: ScratchFolder) -> [String: String] {
        [
            "SERVER": server?.url ?? "", "LOG": server?.log ?? "", "XDG_CACHE_HOME": folder.path(".cache"),
            "CHECKOUT": Fixtures.checkout,
        ]
    }

    private static let requests = #"""
        requests() {
            tail -n "+$(($(cat .seen 2>/dev/null || echo 0) + 1))" "$LOG" |
                sed -E 's/.*"method":"([A-Z]+)".*"target":"([^"]*)".*/\1 \2/'
            wc -l <"$LOG" >.seen
        }
        """#

    private var usesServer: Bool {
        parts.contains { part in
            switch part {
            case .command(_, let text, _): text.contains("$SERVER")
            case .file(let name, let lines):
                name == "server" || name.hasPrefix("server ") || lines.contains { $0.contains("http://SERVER") }
            case .comment: false
            }
        }
    }

    private var faults: [String] {
        parts.flatMap { part -> [String] in
            guard case .file(let name, let lines) = part else { return [] }
            if name == "server" { return lines }
            guard name.hasPrefix("server ") else { return [] }
            let body = lines.joined(separator: "\n").replacing("\\", with: "\\\\").replacing(",", with: "\\,")
            return ["\(name.dropFirst("server ".count)),body=\(body)"]
        }
    }

    private static func result(of run: Session, _ server: LocalServer?) -> [String] {
        let authority = server.map { $0.url.dropFirst("http://".count) }
        let shown = { (text: String) in authority.map { text.replacing($0, with: "SERVER") } ?? text }
        var output = shown(run.text).components(separatedBy: "\n")
        if output.last == "" { output.removeLast() } else { output[output.count - 1] += "\\n" }
        let errors = shown(run.errors).components(separatedBy: "\n").dropLast()
        output = output.map { $0.isEmpty ? "." : $0 }
        return output + errors.map { "! " + $0 } + (run.status == 0 ? [] : ["[\(run.status)]"])
    }

    /// Whether the lines are the same, but for the rest that `…` stands for.
    static func agree(_ expected: [String], _ actual: [String]) -> Bool {
        expected.count == actual.count
            && zip(expected, actual).allSatisfy { wanted, line in
                wanted.hasSuffix("…") ? line.hasPrefix(wanted.dropLast()) : wanted == line
            }
    }
}
