// The streams that filter-search stands between. Its command line is in Transcripts.

import Testing

@Suite struct FilterCommandTests {
    @Test func `a record that arrives alone is answered at once`() throws {
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

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func `a signal ends it with whole records`(signal: String, status: Int32) throws {
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

    @Test func `results do not depend on the locale`() throws {
        let line = #"{"name":"İSTANBUL Björk"}"#
        for locale in ["C", "tr_TR.UTF-8", "POSIX"] {
            let run = try Session(
                "filter-search", ["istanbul bjork"], input: (line + "\n").utf8, environment: ["LC_ALL": locale])
            #expect(run.lines == [line])
        }
    }
}
