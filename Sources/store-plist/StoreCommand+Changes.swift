// The options of store-plist that tell what has changed.

import PipelineCore

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
