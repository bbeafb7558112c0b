// The tools at a terminal, which `script` of util-linux stands for.

import Testing

@Suite(.enabled(if: Session.hasTerminal, "no script(1)"))
struct TerminalTests {
    @Test(arguments: ["filter-search x", "fetch-images", "store-plist"])
    func `a terminal is no input`(command: String) throws {
        let run = try Session.terminal(command)
        let tool = command.split(separator: " ")[0]
        #expect(run.status == 64)
        #expect(run.lines.first?.hasPrefix("usage: \(tool) [options]") == true)
        #expect(run.lines.contains("it reads JSON Lines from stdin, for example:"))
        #expect(run.lines.contains { $0.hasPrefix("    fetch-characters | ") && $0.contains("| \(tool)") })
        #expect(run.lines.last == "\(tool) --help lists all options")
    }

    @Test func `a search that finds nothing says so to a person`() throws {
        let run = try Session.terminal("echo '{}' | filter-search zzz")
        let cure = "--loose ignores punctuation and spaces, -z allows typing errors"
        #expect(run.lines.last == "filter-search: no record matches (none of 1); \(cure)" && run.status == 0)
    }

    @Test func `a search for a pattern without -E says how to search for one`() throws {
        let run = try Session.terminal("echo '{}' | filter-search 'mick*'")
        #expect(
            run.lines.last
                == "filter-search: no record matches (none of 1); write -E for a regular expression")
    }

    @Test func `a search that could not look says only why`() throws {
        let run = try Session.terminal("filter-search zzz missing.jsonl")
        #expect(run.lines.joined().contains("cannot open missing.jsonl"))
        #expect(!run.lines.joined().contains("no record") && run.status == 66)
        let bad = try Session.terminal("echo '{} x' | filter-search zzz")
        #expect(bad.lines.count == 1 && bad.status == 65)
        let unread = try Session.terminal("echo '{}' | filter-search -m 0 zzz")
        #expect(unread.lines == [] && unread.status == 0)
    }

    @Test func `a file in the place of the query is named`() throws {
        let run = try Session.terminal("echo '{}' > r.jsonl; stty cols 200; filter-search --where 'a = 1' r.jsonl")
        #expect(run.lines.first?.hasPrefix("filter-search: r.jsonl is a file, and the query comes before") == true)
        #expect(run.status == 64)
    }

    @Test func `the receipt is a sentence`() throws {
        let store = "store-plist --key id x.plist"
        let run = try Session.terminal(
            #"printf '{\"id\":%d}\n' 1 2 3 | \#(store); printf '{\"id\":%d}\n' 3 4 | \#(store); "#
                + #"printf '{\"id\":%d}\n' 3 4 | \#(store)"#)
        #expect(
            run.lines == [
                "x.plist: 3 records, 3 added, 0 before", "x.plist: 2 records, 1 added, 2 removed, 3 before",
                "x.plist: 2 records, unchanged",
            ])
    }

    @Test func `help fits the terminal`() throws {
        for tool in ["fetch-characters", "fetch-images", "filter-search", "store-plist"] {
            let run = try Session.terminal("stty cols 60; \(tool) --help")
            // An example isn't folded: it is there to be copied.
            let long = run.lines.filter { $0.count > 60 && !$0.hasPrefix("  f") && !$0.hasPrefix("  s") }
            #expect(long == [])
            #expect(run.status == 0)
        }
    }
}
