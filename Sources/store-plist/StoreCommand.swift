// The command store-plist: its options and its help.

import PipelineCore

extension Command<StoreSettings> {
    static var storePlist: Command {
        Command(
            name: "store-plist",
            summary: "Store records as a property list.",
            options: everything, rules: rules,
            operand: { (settings, text) throws(UsageError) in try settings.setPath(text) }
        ) { manual in
            manual.synopsis = [
                "[options] [FILE]", "--load [FILE]", "--newest PATH [FILE]", "--diff OLD --key PATH [NEW]",
                "--describe swift [FILE]",
            ]
            manual.description = [
                "Reads records (JSON Lines) on stdin and stores them as a property list: an array of dictionaries in input "
                    + "order. FILE defaults to \(StoreSettings.defaultPath); - is stdout. One receipt is written to stdout.",
                "PATH is a JSONPath (RFC 9535), such as $.films[0].year or $.ids[?@.kind == 'isbn'].value; a bare name or "
                    + "names, image.url, are short for $.image.url.",
                "With --key the records that come in wait in a temporary file beside FILE until all have come; memory holds "
                    + "about 72 bytes for each of them, and none for those that are stored.",
                "Readers see the old file or the new one, never a part; after status 0 the new one survives power loss if "
                    + "the disk keeps its word; after any other status the old one is untouched; two runs never mix; "
                    + "symlink, mode and owner are kept; an unchanged result does not rewrite the file. A FIFO, a device "
                    + "or - is a plain stream, of which nothing is promised.",
            ]
            manual.examples = [
                (
                    "fetch-characters | filter-search Mick | store-plist",
                    "Keep what was found in characters.plist."
                ),
                (
                    "store-plist --on-bad-line=skip cats.plist < cats.jsonl",
                    "Store what can be stored, name the rest."
                ),
                (
                    "store-plist --key id --changes changes.jsonl cats.plist < cats.jsonl",
                    "Say what came, changed and went."
                ),
            ]
            manual.mainOptions = [
                ("load", "Print the stored records as JSON Lines."),
                ("key", "What identifies a record, such as id."),
                ("mode", "Default: replace. Others need --key."),
                ("changes", "Say what came, changed and went."),
                ("sealed", "Refuse half a list (fetch-characters --seal)."),
                ("format", "Default: as it is, else xml."),
                ("quiet", "Print no receipt, and nothing but errors."),
            ]
            manual.endings = RunEnding.of(
                [
                    .done, .noMatch, .usage, .badData, .noInput, .software, .cannotCreate, .inputOutput, .tryLater,
                ],
                answer: "--diff --exit-status, and something differs")
            manual.habits = habits
        }
    }

    private static var rules: [OptionRule] {
        let reading = ["load", "newest", "describe"]
        let layout = ["key", "keyed", "root", "report"]
        let taking = [
            "format", "null", "big-integers", "control", "date", "data", "strict", "sealed", "on-bad-line",
            "rejects", "max-line",
        ]
        return reading.map { .mode($0, "only reads", takes: layout + ["nonfinite", "type"]) } + [
            .mode("diff", "stores nothing", takes: layout + taking + ["exit-status", "ignore", "nonfinite"]),
            .refuses(reading, "needs no key without --keyed", ["key"], unless: "keyed"),
            .refuses(["diff"], "compares two stores and reads no records", taking, with: "FILE!=-"),
            .refuses(["ignore"], "compares records with those of the same key", ["mode=append", "mode=remove"]),
            .refuses(["keyed"], "holds one record for a key, as --mode=merge does", ["mode=append"]),
            .needs(["type"], anyOf: ["describe=swift"], "whose type it names"),
            .needs(["exit-status"], anyOf: ["diff"], "whose answer it gives"),
            .needs(["nonfinite"], anyOf: ["load", "changes", "diff"], "which write JSON"),
            .needs(
                ["mode=merge", "mode=remove", "changes", "diff", "ignore", "keyed"], anyOf: ["key"],
                "which tells records apart", unless: reading),
        ]
    }

    private static var everything: [CommandOption<StoreSettings>] {
        layout.under("Layout") + values.under("Values") + comparing.under("Changes") + reading.under("Reading")
            + safety.under("Safety") + CommandOption.input(default: "stop") + CommandOption.messages
    }

    /// An option that takes a path to a part of a record.
    private static func path(
        _ name: String, help: String, _ store: @escaping (inout StoreSettings, JSONPath) -> Void
    ) -> CommandOption<StoreSettings> {
        .value(name, "PATH", help: help) { (settings, text) throws(UsageError) in
            let path = try ArgumentValue.path(text, option: "--\(name)")
            guard !path.isWhole else {
                throw UsageError("--\(name) takes a path to a member such as $.id, not the record")
            }
            store(&settings, path)
        }
    }

    private static var modes: [OptionChoice] {
        [
            OptionChoice("replace", "keep the new records only"), OptionChoice("append", "add them at the end"),
            OptionChoice("merge", "update those whose key is stored, and add the others"),
            OptionChoice("remove", "remove the stored ones whose key comes in"),
        ]
    }

    private static var layout: [CommandOption<StoreSettings>] {
        [
            .word(
                "mode", "replace|append|merge|remove", choices: modes,
                [.replace, .append, .merge, .remove] as [StoreMode],
                help: "What the records do to those that are stored. "
                    + modes.map { "\($0.word): \($0.meaning)" }.joined(separator: "; ")
                    + ". merge and remove need --key. Default: replace."
            ) { $0.mode = $1 },
            path(
                "key",
                help:
                    "What identifies a record, such as id: the first string or number that PATH finds. Repeat it for a "
                    + "key of several values."
            ) { $0.keys.append($1) },
            .flag("keyed", help: "The root is a dictionary of records by their key.") { $0.layout.isKeyed = true },
            .value(
                "root", "NAME",
                help: "Store the records as this member of the root dictionary; its other members stay.",
                needs: "the name of a member"
            ) { $0.layout.root = $1 },
            .flag("tee", help: "Write the records to stdout too, instead of the receipt.") { $0.isTeeing = true },
            .report(help: "Write figures about the run, and the receipt, to FILE as JSON."),
        ]
    }

    private static var values: [CommandOption<StoreSettings>] {
        [
            .word(
                "format", "xml|binary", [.xml, .binary] as [PropertyListFormat],
                help: "The form of the property list. Default: the old file's, else xml."
            ) { $0.format = $1 },
            .value(
                "null", "omit|error|TEXT",
                help:
                    "What a null becomes: left out, an error, or a text. Default: a member is left out, and a null in "
                    + "an array is an error."
            ) { (settings, text) throws(UsageError) in
                settings.rules.null =
                    switch text {
                    case "omit": .omit
                    case "error": .fault
                    default: .text(Array(text.utf8))
                    }
            },
            .word(
                "big-integers", "error|text|real", [.fault, .text, .real] as [ValueRules.BigInteger],
                help: "What an integer outside -2^63 to 2^64-1 becomes. Default: error."
            ) { $0.rules.bigIntegers = $1 },
            .word(
                "control", "error|replace", [false, true],
                help:
                    "What a character becomes that XML can't hold, or half of a surrogate pair: an error, or U+FFFD. "
                    + "Default: error."
            ) { $0.rules.replacesControls = $1 },
            path("date", help: "Store texts (RFC 3339) that PATH finds as dates. May be repeated.") {
                $0.rules.dates.append($1)
            },
            path("data", help: "Store texts (base64) that PATH finds as data. May be repeated.") {
                $0.rules.data.append($1)
            },
            .flag("strict", help: "A name that occurs twice in an object is an error. Default: the last one wins.")
            {
                $0.rules.refusesDuplicates = true
            },
        ]
    }

    private static var comparing: [CommandOption<StoreSettings>] {
        [
            .value(
                "changes", "FILE",
                help:
                    "Write the records that were added, changed and removed to FILE, one JSON object a line; - is stdout, in "
                    + "place of the receipt. FILE is complete and on disk before the store is replaced. Needs --key."
            ) { (settings, text) in settings.changesPath = text },
            .value(
                "diff", "OLD",
                help:
                    "Write such lines to stdout for what differs between the store OLD and the store NEW, or the records on "
                    + "stdin. Nothing is stored. Needs --key.", needs: "the name of the old store"
            ) { (settings, text) in
                settings.oldStore = text
                settings.action = .diff
            },
            .flag("exit-status", help: "End with 1 where --diff finds a difference.") { $0.tellsByStatus = true },
            path(
                "ignore",
                help:
                    "Ignore differences in what PATH finds. A record that differs nowhere else stays as it is stored. May be "
                    + "repeated. Needs --key."
            ) { $0.ignored.append($1) },
        ]
    }

    private static var reading: [CommandOption<StoreSettings>] {
        [
            .flag(
                "load",
                help: "Write the stored records to stdout as JSON Lines: an array's dictionaries, the values of a "
                    + "dictionary of dictionaries, or the one record that a dictionary is. FILE - is stdin."
            ) { $0.action = .load },
            path(
                "newest",
                help:
                    "Write the greatest value that PATH finds in the stored records: the latest time, else the largest "
                    + "number, else the last text. Nothing where there is none, or no store."
            ) { (settings, path) in
                settings.newest = path
                settings.action = .newest
            },
            .value(
                "describe", "swift", help: "Write Swift types that decode the whole store."
            ) { (settings, text) throws(UsageError) in
                guard text != "schema" else {
                    throw UsageError(
                        "--describe writes Swift; for a JSON Schema pipe the lines of --load into genson or quicktype"
                    )
                }
                guard text == "swift" else { throw UsageError("--describe takes swift, not '\(text)'") }
                settings.action = .describe
            },
            .value(
                "type", "NAME",
                help: "The name of the record's type with --describe swift. Default: \(StoreShape.defaultTypeName)."
            ) { (settings, text) throws(UsageError) in
                guard SwiftName.isFree(forType: text) else {
                    throw UsageError(
                        "--type takes a name that Swift allows and the described code doesn't use, such as Film, not '\(text)'"
                    )
                }
                settings.typeName = text
            },
            .word(
                "nonfinite", "error|text", [false, true],
                help: "What NaN and infinity become with --load, --changes and --diff. Default: error."
            ) { $0.writesNonfiniteAsText = $1 },
        ]
    }

    private static var safety: [CommandOption<StoreSettings>] {
        [
            .flag(
                "sealed",
                help:
                    "Refuse an input that doesn't end with a complete seal (fetch-characters --seal) or has more records "
                    + "than its seals say."
            ) {
                $0.needsSeal = true
            },
            .value(
                "wait", "SECONDS",
                help: "How long to wait, such as 30 or 10m, while another run stores to FILE. Default: 0."
            ) { (settings, text) throws(UsageError) in
                settings.lockWaitSeconds = try ArgumentValue.duration(text, option: "--wait")
            },
            .count("min-records", "Store only if the store then has at least this many records.") {
                $0.leastRecords = $1
            },
            .optionalValue(
                "same-shape", "on|off",
                help:
                    "Refuse records that have lost a member: nine in ten of the stored ones have it, and fewer than one "
                    + "in ten of these. An API may have renamed it. Default: off."
            ) { (settings, text) throws(UsageError) in
                guard !text.isEmpty else { return settings.keepsShape = true }
                settings.keepsShape = try ArgumentValue.word(
                    text, option: "--same-shape", [("on", true), ("off", false)])
            },
            .value("backup", "SUFFIX", help: "Keep the old file under its name and SUFFIX.") {
                (settings, text) throws(UsageError) in
                guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: "/")) else {
                    throw UsageError("--backup takes the end of a file name, such as .old")
                }
                settings.backupSuffix = text
            },
            .flag(
                "verify",
                help:
                    "Read the new file back before it replaces the old one, and compare each value with what came."
            ) { $0.verifies = true },
            .flag(
                "force",
                help: "Replace a FILE that isn't a property list of records, or can't be read. It counts as empty."
            ) { $0.replacesAnything = true },
            .flag("allow-empty", help: "Let an input without records replace a store that has some.") {
                $0.allowsEmpty = true
            },
        ]
    }
}

/// The tool.
enum StorePlist {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(Command.storePlist, StoreSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            switch settings.action {
            case .store: try StoreRun.run(settings, diagnostics, &report)
            case .diff: try DiffRun.run(settings, diagnostics, &report.figures)
            case .load, .newest, .describe: try StoreReading.run(settings, diagnostics, &report.figures)
            }
        }
    }
}
