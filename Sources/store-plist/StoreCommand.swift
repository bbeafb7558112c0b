// The command store-plist: its options and its help.

import PipelineCore

extension Command<StoreSettings> {
    static var storePlist: Command {
        Command(
            name: "store-plist",
            summary: "Store records as a property list or JSON Lines.",
            options: storing.under("Storing") + safety.under("Safety") + changes.under("Changes")
                + reading.under("Reading a store") + values.under("Values") + CommandOption.input(default: "stop")
                + CommandOption.messages,
            rules: rules,
            operand: { (settings, text) throws(UsageError) in try settings.setPath(text) }
        ) { manual in
            manual.synopsis = [
                "[options] [FILE]", "--load [FILE]", "--newest PATH [FILE]", "--diff OLD --key PATH [NEW]",
                "--describe swift [FILE]",
            ]
            manual.description = [
                "Reads records, one JSON object per line, from stdin and stores them as a property list, an array "
                    + "of dictionaries in input order, or as they are, in JSON Lines. FILE defaults to "
                    + "\(StoreSettings.defaultPath); - is stdout. A receipt goes to stdout.",
                "PATH is a JSONPath (RFC 9535), such as $.films[0].year; image.url is short for $.image.url.",
                "Readers see the old file or the new one, never a part; after status 0 the new one survives power "
                    + "loss if the disk keeps its word; after any other status the old one is untouched; two runs "
                    + "never mix; symlink, mode, owner and extended attributes are kept; an unchanged result does "
                    + "not rewrite the file. A hard link of FILE keeps the old store. "
                    + "A FIFO, a device or - is written as a stream, without these guarantees.",
            ]
            manual.examples = [
                (
                    "fetch-characters | filter-search Mick | store-plist",
                    "Store the matching records in characters.plist."
                ),
                (
                    "store-plist --on-bad-line=skip cats.plist < cats.jsonl",
                    "Store the valid records, and report the bad lines."
                ),
                (
                    "store-plist --load --csv id,name,image.url cats.plist > cats.csv",
                    "Write a table for a spreadsheet or a database."
                ),
                (
                    "store-plist --key id --changes changes.jsonl cats.plist < cats.jsonl",
                    "Record what was added, changed and removed."
                ),
            ]
            manual.mainOptions = [
                ("load", "Print the stored records as JSON Lines."),
                ("key", "What identifies a record, such as id."),
                ("mode", "Default: replace. merge and remove need --key."),
                ("changes", "Write what was added, changed and removed."),
                ("sealed", "Refuse half a list (fetch-characters --seal)."),
                ("format", "xml, binary, or jsonl for JSON Lines."),
                ("quiet", "Print errors only, and no receipt."),
            ]
            manual.meanings = [
                .noMatch: "--diff found a difference",
                .badData: "bad data: a line, a property list, or the seal; nothing was stored",
                .tryLater: "another run is storing to FILE; try again later",
            ]
            manual.habits = habits
        }
    }

    private static var rules: [OptionRule] {
        let reading = ["load", "newest", "describe"]
        let propertyLists = ["date", "data", "null", "lossy", "root", "keyed"]
        let layout = ["key", "keyed", "root", "report"]
        let taking = [
            "format", "null", "date", "data", "strict", "sealed", "on-bad-line",
        ]
        return [
            .mode("load", "only reads", takes: layout + ["lossy", "Reading a store"]),
            .mode("newest", "only reads", takes: layout + ["Reading a store"]),
            .mode("describe", "only reads", takes: layout + ["Reading a store"]),
            .mode("diff", "stores nothing", takes: layout + taking + ["ignore", "lossy"]),
            .refuses(reading, "needs no key without --keyed", ["key"], unless: "keyed"),
            .refuses(["diff"], "compares two stores and reads no records", taking, with: "FILE!=-"),
            .refuses(["ignore"], "compares records with those of the same key", ["mode=append", "mode=remove"]),
            .refuses(["format=jsonl"], "stores lines as they come", propertyLists),
            .refuses(["keyed"], "holds one record for a key, as --mode=merge does", ["mode=append"]),
            .refuses(["same-shape"], "measures records that are stored", ["mode=remove"]),
            .needs(["type"], anyOf: ["describe=swift"], "whose type it names"),
            .needs(["csv"], anyOf: ["load"], "whose records it prints as a table"),
            .needs(
                ["mode=merge", "mode=remove", "changes", "diff", "ignore", "keyed"], anyOf: ["key"],
                "which tells records apart", unless: reading),
        ]
    }

    /// An option that takes a path to a part of a record.
    private static func path(
        _ name: String, help: @autoclosure @escaping () -> String,
        _ store: @escaping (inout StoreSettings, JSONPath) -> Void
    ) -> CommandOption<StoreSettings> {
        .value(name, "PATH", help: help()) { (settings, text) throws(UsageError) in
            let path = try ArgumentValue.path(text, option: "--\(name)")
            guard !path.isWhole else {
                throw UsageError("--\(name) takes a path to a member such as $.id, not the record")
            }
            store(&settings, path)
        }
    }

    private static var modes: [(word: String, meaning: String)] {
        [
            ("replace", "keep only the new records"), ("append", "add them at the end"),
            ("merge", "update records by key, and add new ones (needs --key)"),
            ("remove", "remove the records with these keys (needs --key)"),
        ]
    }

    private static var storing: [CommandOption<StoreSettings>] {
        [
            .word(
                "mode", "replace|append|merge|remove", choices: { modes },
                [.replace, .append, .merge, .remove] as [StoreMode],
                help: modes.map { "\($0.word): \($0.meaning)" }.joined(separator: "; ") + ". Default: replace."
            ) { $0.mode = $1 },
            path(
                "key",
                help:
                    "What identifies a record, such as id: the first string or number at PATH. Repeat it for a key "
                    + "of several values."
            ) { $0.keys.append($1) },
            .word(
                "format", StoreFormat.allCases.map(\.rawValue).joined(separator: "|"),
                StoreFormat.allCases,
                help:
                    "Format of the file. Default: the old file's, else jsonl (JSON Lines) for a FILE named .jsonl or "
                    + ".ndjson, else xml."
            ) { $0.format = $1 },
            .report(help: "Write one JSON object about the run, with the receipt, to FILE."),
            .value(
                "root", "NAME",
                help: "Store the records in the member NAME of the root; its other members stay.",
                needs: "the name of a member"
            ) {
                $0.propertyListOptions.append("--root")
                $0.layout.root = $1
            },
            .flag("keyed", help: "Make the root a dictionary of records by key.") {
                $0.propertyListOptions.append("--keyed")
                $0.layout.isKeyed = true
            },
        ]
    }

    private static var safety: [CommandOption<StoreSettings>] {
        [
            .flag(
                "sealed",
                help:
                    "Refuse an input without a complete seal (fetch-characters --seal), or with more records than "
                    + "sealed.", \.needsSeal),
            .value("backup", "SUFFIX", help: "Keep the old file under its name and SUFFIX.") {
                (settings, text) throws(UsageError) in
                guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: "/")) else {
                    throw UsageError("--backup takes the end of a file name, such as .old")
                }
                guard !StoreFormat.isNamed(by: text) || text.hasPrefix(".") || text.hasPrefix("-") else {
                    throw UsageError("--backup takes the end of a file name, such as .old, not a store")
                }
                settings.backupSuffix = text
            },
            .value(
                "wait", "DURATION",
                help: "Wait this long, such as 30 or 10m, while another run stores to FILE. Default: 0."
            ) { (settings, text) throws(UsageError) in
                settings.lockWaitSeconds = try ArgumentValue.duration(text, option: "--wait")
            },
            .count(
                "min-records",
                "Refuse to leave fewer than N records in the store; with 0 an input without records may empty or create it."
            ) { $0.leastRecords = $1 },
            .flag("force", help: "Replace FILE even if it isn't a readable store.", \.replacesAnything),
            .optionalValue(
                "same-shape", "on|off",
                help:
                    "Refuse records that lost a member: 90% of the stored ones have it, and fewer than 10% of "
                    + "these. Default: off."
            ) { (settings, text) throws(UsageError) in
                guard !text.isEmpty else { return settings.keepsShape = true }
                settings.keepsShape = try ArgumentValue.word(
                    text, option: "--same-shape", [("on", true), ("off", false)])
            },
            .flag(
                "verify", help: "Read the new file back and compare it before it replaces the old one.", \.verifies),
        ]
    }

    private static var changes: [CommandOption<StoreSettings>] {
        [
            .value(
                "changes", "FILE",
                help: "Write what was added, changed and removed to FILE as JSON Lines; - is stdout. Needs --key."
            ) { (settings, text) in settings.changesPath = text },
            path("ignore", help: "Ignore differences at PATH; repeatable. Needs --key.") { $0.ignored.append($1) },
            .value(
                "diff", "OLD",
                help:
                    "Print the differences between the store OLD and NEW, or the records on stdin; store nothing. "
                    + "Status 1 if there is one. Needs --key.",
                needs: "the name of the old store"
            ) { (settings, text) throws(UsageError) in
                guard !text.hasPrefix("--") else { throw UsageError("--diff needs OLD before \(text)") }
                settings.action = .diff(text)
            },
        ]
    }

    private static var reading: [CommandOption<StoreSettings>] {
        [
            .flag("load", help: "Print the stored records as JSON Lines; FILE - is stdin.") { $0.action = .load },
            .value(
                "csv", "PATHS",
                help:
                    "With --load: print a table in CSV (RFC 4180), with a column for each of PATHS, which commas separate."
            ) { (settings, text) throws(UsageError) in
                settings.columns += try CSVColumn.columns(text, option: "--csv")
            },
            path(
                "newest",
                help: "Print the greatest value at PATH in the store: a time, else a number, else a text."
            ) { $0.action = .newest($1) },
            .value(
                "describe", "swift", help: "Print Swift types that decode the whole store."
            ) { (settings, text) throws(UsageError) in
                guard text != "schema" else {
                    throw UsageError(
                        "--describe writes Swift; for a JSON Schema pipe the lines of --load into genson or "
                            + "quicktype"
                    )
                }
                guard text == "swift" else {
                    let command = "; write --describe swift \(ShellWord.quoted(text))"
                    let cure = StoreFormat.isNamed(by: text) ? command : ""
                    throw UsageError("--describe takes swift, not '\(text)'\(cure)")
                }
                settings.action = .describe
            },
            .value(
                "type", "NAME",
                help: "Name of the record type. Default: \(StoreShape.defaultTypeName)."
            ) { (settings, text) throws(UsageError) in
                guard SwiftName.isFree(forType: text) else {
                    throw UsageError(
                        "--type takes a name that Swift allows and the described code doesn't use, such as Film, not '\(text)'"
                    )
                }
                settings.typeName = text
            },
        ]
    }

    private static var values: [CommandOption<StoreSettings>] {
        [
            path("date", help: "Store RFC 3339 strings at PATH as dates; repeatable.") {
                $0.propertyListOptions.append("--date")
                $0.rules.dates.append($1)
            },
            path("data", help: "Store base64 strings at PATH as data; repeatable.") {
                $0.propertyListOptions.append("--data")
                $0.rules.data.append($1)
            },
            .value(
                "null", "omit|error|TEXT",
                help: "How to store null. Default: omit it from an object; an error in an array."
            ) { (settings, text) throws(UsageError) in
                settings.propertyListOptions.append("--null")
                settings.rules.null =
                    switch text {
                    case "omit": .omit
                    case "error": .fault
                    default: .text(Array(text.utf8))
                    }
            },
            .word(
                "lossy", "error|text", [false, true],
                help:
                    "What the format can't hold: an error, or a text for integers outside -2^63 to 2^64-1, and with "
                    + "--load for NaN and infinity, and U+FFFD for characters that XML excludes and unpaired "
                    + "surrogates. Default: error."
            ) {
                $0.propertyListOptions.append("--lossy")
                $0.rules.isLossy = $1
            },
            .flag(
                "strict", help: "Refuse duplicate names in an object. Default: the last one wins.",
                \.rules.refusesDuplicates),
        ]
    }
}

enum StorePlist {
    static func run() -> Never {
        Tool.run(Command.storePlist, StoreSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            switch settings.action {
            case .store: try StoreRun.run(settings, diagnostics, &report)
            case .diff(let old): try DiffRun.run(settings, old, diagnostics, &report.figures)
            case .load, .newest, .describe: try StoreReading.run(settings, diagnostics, &report.figures)
            }
        }
    }
}
