// store-plist as a command: its options, its help.

import PipelineCore

extension StoreSettings {
    static var command: Command<StoreSettings> {
        Command(
            name: "store-plist",
            summary: "Store records as a property list.",
            synopsis: ["[options] [FILE]", "--load [FILE]"],
            description: [
                "Reads records (JSON Lines) on stdin and stores them as a property list: an array of dictionaries in input "
                    + "order. FILE defaults to \(defaultPath); - is stdout. One receipt is written to stdout.",
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
            ],
            options: values + loading + safety
                + CommandOption.input(default: "stop") { $1(&$0.input) } + [.quiet { $0.isQuiet = true }],
            operand: { (settings, text) throws(UsageError) in try settings.setPath(text) }
        )
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
            .flag("strict", help: "A name that stands twice in an object is an error. Default: the last one wins.")
            {
                $0.rules.refusesDuplicates = true
            },
        ]
    }

    private static var loading: [CommandOption<StoreSettings>] {
        [
            .flag(
                "load",
                help: "Write the stored records to stdout as JSON Lines: an array's dictionaries, the values of a "
                    + "dictionary of dictionaries, or the one record that a dictionary is."
            ) { $0.isLoading = true },
            .value("nonfinite", "error|text", help: "With --load: what NaN and infinity become. Default: error.") {
                (settings, text) throws(UsageError) in
                settings.writesNonfiniteAsText = try ArgumentValue.word(
                    text, option: "--nonfinite", [("error", false), ("text", true)])
            },
        ]
    }

    private static var safety: [CommandOption<StoreSettings>] {
        [
            .value("wait", "SECONDS", help: "How long to wait while another run stores to FILE. Default: 0.") {
                (settings, text) throws(UsageError) in
                settings.lockWaitSeconds = try ArgumentValue.duration(text, option: "--wait")
            },
            .flag("allow-empty", help: "Let an input without records replace a store that has some.") {
                $0.allowsEmpty = true
            },
        ]
    }
}
