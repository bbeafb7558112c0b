// The command store-plist: its options and its help.

import PipelineCore

extension Command<StoreSettings> {
    static var storePlist: Command {
        Command(
            name: "store-plist",
            summary: "Store records as a property list.",
            synopsis: [
                "[options] [FILE]", "--load [FILE]", "--newest PATH [FILE]", "--diff OLD --key PATH [NEW]",
                "--describe swift|schema [FILE]",
            ],
            description: [
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
            ],
            examples: [
                CommandExample(
                    "fetch-characters | filter-search Mick | store-plist",
                    "Keep what was found in characters.plist."),
                CommandExample(
                    "store-plist --on-bad-line=skip cats.plist < cats.jsonl",
                    "Store what can be stored, name the rest."),
                CommandExample(
                    "store-plist --key id --changes changes.jsonl cats.plist < cats.jsonl",
                    "Say what came, changed and went."),
            ],
            options: everything,
            mainOptions: [
                ("load", "Print the stored records as JSON Lines."),
                ("key", "What identifies a record, such as id."),
                ("mode", "Default: replace. Others need --key."),
                ("changes", "Say what came, changed and went."),
                ("sealed", "Refuse half a list (fetch-characters --seal)."),
                ("format", "Default: as it is, else xml."),
                ("quiet", "Print no receipt, and nothing but errors."),
            ],
            endings: RunEnding.of(
                [
                    .done, .noMatch, .usage, .badData, .noInput, .software, .cannotCreate, .inputOutput, .tryLater,
                ],
                answer: "--diff --exit-status, and something differs"),
            operand: { (settings, text) throws(UsageError) in try settings.setPath(text) }
        )
    }

    private static var everything: [CommandOption<StoreSettings>] {
        var options = layout.under("Layout")
        options += noting(.taking, values + typedTexts + [strict]).under("Values")
        options += comparing.under("Changes")
        options += (reading + describing + noting(.loading, [nonfinite])).under("Reading")
        options += (noting(.taking, [sealed]) + noting(.replacing, safety)).under("Safety")
        options += noting(.taking, CommandOption.input(default: "stop") { $1(&$0.input) })
        options += CommandOption.messages { $1(&$0.messages) }
        return options
    }

    /// Marks options that some runs refuse.
    private static func noting(
        _ use: OptionUse, _ options: [CommandOption<StoreSettings>]
    ) -> [CommandOption<StoreSettings>] {
        options.map { $0.noting { $0.note(use, $1) } }
    }

    private static var values: [CommandOption<StoreSettings>] {
        [
            .value(
                "format", "xml|binary", help: "The form of the property list. Default: the old file's, else xml."
            ) {
                (settings, text) throws(UsageError) in
                settings.format = try ArgumentValue.word(
                    text, option: "--format", [("xml", .xml), ("binary", .binary)])
            },
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
            .value(
                "big-integers", "error|text|real",
                help: "What an integer outside -2^63 to 2^64-1 becomes. Default: error."
            ) { (settings, text) throws(UsageError) in
                settings.rules.bigIntegers = try ArgumentValue.word(
                    text, option: "--big-integers", [("error", .fault), ("text", .text), ("real", .real)])
            },
            .value(
                "control", "error|replace",
                help:
                    "What a character becomes that XML can't hold, or half of a surrogate pair: an error, or U+FFFD. "
                    + "Default: error."
            ) { (settings, text) throws(UsageError) in
                settings.rules.replacesControls = try ArgumentValue.word(
                    text, option: "--control", [("error", false), ("replace", true)])
            },
        ]
    }

    /// Texts that are stored as what they stand for.
    private static var typedTexts: [CommandOption<StoreSettings>] {
        [
            .value("date", "PATH", help: "Store texts (RFC 3339) that PATH finds as dates. May be repeated.") {
                (settings, text) throws(UsageError) in
                settings.rules.dates.append(try StoreSettings.path(text, option: "--date"))
            },
            .value("data", "PATH", help: "Store texts (base64) that PATH finds as data. May be repeated.") {
                (settings, text) throws(UsageError) in
                settings.rules.data.append(try StoreSettings.path(text, option: "--data"))
            },
        ]
    }

    private static var strict: CommandOption<StoreSettings> {
        .flag("strict", help: "A name that occurs twice in an object is an error. Default: the last one wins.") {
            $0.rules.refusesDuplicates = true
        }
    }

    private static var layout: [CommandOption<StoreSettings>] {
        noting(.replacing, [mode]) + location + noting(.replacing, [tee]) + [
            .value("report", "FILE", help: "Write figures about the run, and the receipt, to FILE as JSON.") {
                (settings, text) in
                settings.reportPath = text
            }
        ]
    }

    private static var tee: CommandOption<StoreSettings> {
        .flag("tee", help: "Write the records to stdout too, instead of the receipt.") { $0.isTeeing = true }
    }

    private static var modes: [OptionChoice] {
        [
            OptionChoice("replace", "keep the new records only"), OptionChoice("append", "add them at the end"),
            OptionChoice("merge", "update those whose key is stored, and add the others"),
            OptionChoice("remove", "remove the stored ones whose key comes in"),
        ]
    }

    private static var mode: CommandOption<StoreSettings> {
        .value(
            "mode", "replace|append|merge|remove", choices: modes,
            help: "What the records do to those that are stored. "
                + modes.map { "\($0.word): \($0.meaning)" }.joined(separator: "; ")
                + ". merge and remove need --key. Default: replace."
        ) { (settings, text) throws(UsageError) in
            settings.mode = try ArgumentValue.word(
                text, option: "--mode",
                [("replace", .replace), ("append", .append), ("merge", .merge), ("remove", .remove)])
        }
    }

    /// Where the records are in the store.
    private static var location: [CommandOption<StoreSettings>] {
        [
            .value(
                "key", "PATH",
                help:
                    "What identifies a record, such as id: the first string or number that PATH finds. Repeat it for a "
                    + "key of several values."
            ) {
                (settings, text) throws(UsageError) in
                settings.keys.append(try StoreSettings.path(text, option: "--key"))
            },
            .flag("keyed", help: "The root is a dictionary of records by their key.") { $0.layout.isKeyed = true },
            .value(
                "root", "NAME",
                help: "Store the records as this member of the root dictionary; its other members stay."
            ) {
                (settings, text) throws(UsageError) in
                guard !text.isEmpty else { throw UsageError("--root needs the name of a member") }
                settings.layout.root = text
            },
        ]
    }

    private static var reading: [CommandOption<StoreSettings>] {
        [
            .flag(
                "load",
                help: "Write the stored records to stdout as JSON Lines: an array's dictionaries, the values of a "
                    + "dictionary of dictionaries, or the one record that a dictionary is. FILE - is stdin."
            ) { $0.choose(.load) },
            .value(
                "newest", "PATH",
                help:
                    "Write the greatest value that PATH finds in the stored records: the latest time, else the largest "
                    + "number, else the last text. Nothing where there is none, or no store."
            ) { (settings, text) throws(UsageError) in
                settings.newest = try StoreSettings.path(text, option: "--newest")
                settings.choose(.newest)
            },
        ]
    }

    private static var nonfinite: CommandOption<StoreSettings> {
        .value(
            "nonfinite", "error|text",
            help: "What NaN and infinity become with --load, --changes and --diff. Default: error."
        ) { (settings, text) throws(UsageError) in
            settings.writesNonfiniteAsText = try ArgumentValue.word(
                text, option: "--nonfinite", [("error", false), ("text", true)])
        }
    }

    private static var sealed: CommandOption<StoreSettings> {
        .flag(
            "sealed",
            help:
                "Refuse an input that doesn't end with a complete seal (fetch-characters --seal) or has more records "
                + "than its seals say."
        ) {
            $0.needsSeal = true
        }
    }

    private static var describing: [CommandOption<StoreSettings>] {
        [
            .value(
                "describe", "swift|schema",
                help:
                    "Write Swift types that decode the whole store, or a JSON Schema of one record as --load writes it."
            ) { (settings, text) throws(UsageError) in
                settings.description = try ArgumentValue.word(
                    text, option: "--describe", [("swift", .swift), ("schema", .schema)])
                settings.choose(.describe)
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
        ]
    }

    private static var safety: [CommandOption<StoreSettings>] {
        [
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

extension Command<StoreSettings> {
    static var comparing: [CommandOption<StoreSettings>] {
        [changes.noting { $0.note(.replacing, $1) }, diff, exitStatus, ignore.noting { $0.note(.comparing, $1) }]
    }

    private static var changes: CommandOption<StoreSettings> {
        .value(
            "changes", "FILE",
            help:
                "Write the records that were added, changed and removed to FILE, one JSON object a line; - is stdout, in "
                + "place of the receipt. FILE is complete and on disk before the store is replaced. Needs --key."
        ) { (settings, text) in settings.changesPath = text }
    }

    private static var diff: CommandOption<StoreSettings> {
        .value(
            "diff", "OLD",
            help:
                "Write such lines to stdout for what differs between the store OLD and the store NEW, or the records on "
                + "stdin. Nothing is stored. Needs --key."
        ) { (settings, text) throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("--diff needs the name of the old store") }
            settings.oldStore = text
            settings.choose(.diff)
        }
    }

    private static var exitStatus: CommandOption<StoreSettings> {
        .flag("exit-status", help: "End with 1 where --diff finds a difference.") { $0.tellsByStatus = true }
    }

    private static var ignore: CommandOption<StoreSettings> {
        .value(
            "ignore", "PATH",
            help:
                "Ignore differences in what PATH finds. A record that differs nowhere else stays as it is stored. May be "
                + "repeated. Needs --key."
        ) { (settings, text) throws(UsageError) in
            settings.ignored.append(try StoreSettings.path(text, option: "--ignore"))
        }
    }
}
