// The command line of filter-search, and the streams that it stands between.

import Testing

@Suite struct FilterCommandTests {
    // MARK: The command line

    static let wrongCommandLines: [(arguments: [String], message: String)] = [
        (["--limt", "2", "x"], "unknown option --limt; did you mean --limit?"),
        (["--frobnicate", "x"], "unknown option --frobnicate; filter-search --help lists them"),
        (["-Q", "x"], "unknown option -Q; filter-search --help lists them"),
        (["-m", "x"], "a whole number of at least 0, not 'x'"), (["--limit"], "--limit needs a value: --limit N"),
        (["-m"], "-m needs a value: -m N"), (["--count=3", "x"], "--count takes no value"),
        ([], "a query is missing"),
        (["--on-bad-line=maybe", "x"], "--on-bad-line takes skip or stop, not 'maybe'"),
        (["--max-line", "1x", "x"], "--max-line takes a number of bytes such as 512, 64k, 16M or 1G, not '1x'"),
    ]

    @Test(arguments: wrongCommandLines)
    func aWrongCommandLineSaysWhatToWrite(arguments: [String], message: String) throws {
        let run = try Session.filter(arguments, [])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("filter-search: "))
        #expect(run.errors.contains(message))
        #expect(run.output == [])
    }

    @Test func aQueryThatIsNotUTF8IsRefused() throws {
        let run = try Session.script(#"filter-search $'\xff' </dev/null"#)
        #expect(run.status == 64)
        #expect(run.errors.contains("isn't UTF-8"))
    }

    @Test func helpAndVersionGoToStandardOutput() throws {
        let help = try Session.filter(["--help"], [])
        #expect(help.status == 0)
        #expect(help.text.contains("usage: filter-search [options] QUERY [FILE...]"))
        #expect(help.text.contains("--on-bad-line"))
        #expect(try Session.filter(["--version"], []).text == "filter-search (castline) 0.1.0\n")
        #expect(try Session.filter(["-h"], []).text == help.text)
    }

    @Test func optionsMayStandBehindOperandsUntilTwoDashes() throws {
        let line = #"{"name":"--count"}"#
        #expect(try Session.filter(["count", "-c"], [line]).text == "{\"count\":1}\n")
        #expect(try Session.filter(["--", "--count"], [line]).lines == [line])
    }

    // MARK: Streams

    @Test func aRecordThatArrivesAloneIsAnsweredAtOnce() throws {
        let run = try Session.script(
            """
            mkfifo pipe
            filter-search mick <pipe >answer & exec 3>pipe
            echo '{"name":"Mick"}' >&3
            for _ in $(seq 100); do [ -s answer ] && break; sleep 0.05; done
            cat answer; exec 3>&-; wait $!
            """)
        #expect(run.text == "{\"name\":\"Mick\"}\n")
        #expect(run.status == 0)
    }

    @Test func aClosedOutputEndsItQuietly() throws {
        let run = try Session.script(
            #"yes '{"name":"Mick"}' | filter-search mick | head -1; echo "${PIPESTATUS[1]}""#)
        #expect(run.text == "{\"name\":\"Mick\"}\n141\n")
        #expect(run.errors == "")
    }

    @Test func aFullDiskIsStatus74() throws {
        let run = try Session.script(#"yes '{"name":"Mick"}' | head -9999 | filter-search mick >/dev/full"#)
        #expect(run.status == 74)
        #expect(
            run.errors
                == "filter-search: cannot write to <stdout>: no space left on device; make room and run it again\n")
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func aSignalEndsItWithinASecondAndWithWholeRecords(signal: String, status: Int32) throws {
        let run = try Session.script(
            """
            set -m
            filter-search mick < <(yes '{"name":"Mick"}') >out &
            for _ in {1..200}; do [ -s out ] && break; sleep 0.05; done
            kill -\(signal) $!; wait $!; echo $?
            tail -c 1 out | od -An -tx1
            """)
        #expect(run.lines == ["\(status)", " 0a"])
    }

    @Test func resultsDoNotDependOnTheLocale() throws {
        let line = #"{"name":"İSTANBUL Björk"}"#
        for locale in ["C", "tr_TR.UTF-8", "POSIX"] {
            let run = try Session(
                "filter-search", ["istanbul bjork"], input: (line + "\n").utf8, environment: ["LC_ALL": locale])
            #expect(run.lines == [line])
        }
    }
}
