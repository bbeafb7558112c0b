// `--load --csv`, and a store in JSON Lines, as other programs read them: Python's csv, and where they are installed duckdb,
// mlr and sqlite-utils. Each must find the numbers with all their digits.

import Foundation
import TestSupport
import Testing

@Suite struct StoreTableTests {
    /// Reads `lines` and `table.csv`, and says where a cell isn't what the record has there.
    private static let oracle = """
        import csv, json

        class Number(str): pass

        def number(text): return Number(text)
        def scalar(value):
            if value is None: return "null"
            if isinstance(value, bool): return "true" if value else "false"
            return str(value)
        def cell(record, path):
            for step in path.split("."):
                if not isinstance(record, dict) or step not in record: return ""
                record = record[step]
            if record is None: return ""
            if isinstance(record, list) and not any(isinstance(e, (list, dict)) for e in record):
                return "; ".join(scalar(e) for e in record)
            if isinstance(record, (list, dict)): return record
            return scalar(record)

        records = [json.loads(line, parse_int=number, parse_float=number) for line in open("lines", encoding="utf-8")]
        with open("table.csv", encoding="utf-8", newline="") as file: rows = list(csv.reader(file, strict=True))
        header = rows.pop(0)
        assert header == ["id", "a.b", "a", "list", "t"], header
        assert len(rows) == len(records), (len(rows), len(records))
        for row, record in zip(rows, records):
            for name, found in zip(header, row, strict=True):
                wanted = cell(record, name)
                if not isinstance(wanted, str):
                    found = json.loads(found, parse_int=number, parse_float=number)
                assert found == wanted, (record, name, found, wanted)
        """

    private func lines(_ random: inout SplitMix64) -> [String] {
        let values = [
            "90071992547409931", "-0.1", "18446744073709551615", "true", "\"\"", "\"a,b\"", "\"say \\\"hi\\\"\"",
            "\"two\\nlines\"", "\"cr\\r\"", "\"=1+1\"", "\"-x\"", "\" spaced \"", "\"ä😀\"", "[]",
            "[1,\"; \",false]",
            "[[1],{\"b\":2}]", "{}", "{\"b\":\"deep\"}", "{\"b\":[\"x\",\"y\"]}",
        ]
        return (0..<40).map { _ in
            let members = ["id", "a", "list", "t"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            return "{"
                + members.map { "\"\($0)\":\(values.randomElement(using: &random) ?? "0")" }.joined(separator: ",")
                + "}"
        }
    }

    @Test(arguments: ["xml", "binary", "jsonl"], 1...4 as ClosedRange<UInt64>)
    func `Python reads every cell as the record has it`(format: String, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lines = lines(&random)
        let folder = try ScratchFolder()
        try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "lines")
        let script = """
            store-plist -q --format \(format) s <lines
            store-plist --load --csv 'id,a.b,a,list,t' s >table.csv 2>errors || exit 98
            grep -v 'warning: none of' errors && exit 97
            exec python3 -c "$ORACLE"
            """
        let run = try Session.script(script, environment: ["ORACLE": Self.oracle], folder: folder)
        if run.status == 127 { try Test.cancel("there is no python3") }
        #expect(run.status == 0, "\(run.text)\(run.errors)")
    }

    /// A program, and a command that prints the two ids of the records below, each on a line, from the file at `$1`.
    private static let peers: [(program: String, file: String, command: String)] = [
        ("duckdb", "t.csv", #"duckdb -csv -noheader -c "select id from read_csv('$1', header=true)""#),
        ("duckdb", "s.jsonl", #"duckdb -csv -noheader -c "select id from '$1'""#),
        ("sqlite3", "t.csv", #"sqlite3 u.db ".import --csv $1 t" "select id from t""#),
        ("mlr", "t.csv", #"mlr --icsv --ojsonl cut -f id "$1" | grep -o '[0-9]*'"#),
        ("mlr", "s.jsonl", #"mlr --ijsonl --ojsonl cut -f id "$1" | grep -o '[0-9]*'"#),
        (
            "sqlite-utils", "t.csv",
            #"sqlite-utils insert t.db t "$1" --csv && sqlite-utils rows t.db t -c id --csv --no-headers"#
        ),
        (
            "sqlite-utils", "s.jsonl",
            #"sqlite-utils insert t.db t "$1" --nl && sqlite-utils rows t.db t -c id --csv --no-headers"#
        ),
    ]

    @Test(arguments: peers.indices)
    func `real readers find the numbers with all their digits`(number: Int) throws {
        let peer = Self.peers[number]
        guard Shells.has(peer.program) else { try Test.cancel("there is no \(peer.program)") }
        let folder = try ScratchFolder()
        let input = """
            {"id":90071992547409931,"name":"A \\"b\\", c","films":["x","y"],"note":"=1+1"}
            {"id":7,"name":"two\\nlines","films":[],"note":"ä"}

            """
        let script = """
            set -e
            store-plist -q s.jsonl
            store-plist --load --csv id,name,films,note s.jsonl >t.csv
            set -- \(peer.file)
            \(peer.command)
            """
        let run = try Session.script(script, input: input.utf8, folder: folder)
        #expect(run.lines.map { $0.filter { $0 != "\r" } } == ["90071992547409931", "7"], "\(run.errors)")
    }
}
