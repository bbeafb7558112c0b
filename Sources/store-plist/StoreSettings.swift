// The settings of store-plist.

import PipelineCore

struct StoreSettings: Sendable {
    static let defaultPath = "characters.plist"

    private(set) var path: String?
    var input = InputSettings(badLines: .stop)
    var rules = ValueRules()
    /// `--format`; nil means the old file's.
    var format: PropertyListFormat?
    var lockWaitSeconds = 0.0
    var allowsEmpty = false
    var messages = MessageSettings()
    private(set) var action = StoreAction.store
    /// Two options that each say what to do.
    private var rivals: (String, String)?
    var layout = StoreLayout()
    /// `--newest`
    var newest: JSONPath?
    /// `--nonfinite`
    var writesNonfiniteAsText = false
    var mode = StoreMode.replace
    /// `--key`, several for a key of several values.
    var keys: [JSONPath] = []
    /// `--ignore`: where a difference doesn't count.
    var ignored: [JSONPath] = []
    /// `--changes`; `-` is stdout.
    var changesPath: String?
    /// `--same-shape`
    var keepsShape = false
    /// `--tee`: the records go to stdout too.
    var isTeeing = false
    var reportPath: String?
    /// `--sealed`
    var needsSeal = false
    /// `--min-records`
    var leastRecords = 0
    var backupSuffix: String?
    var verifies = false
    /// The first option given that says how to store.
    private var storingOption: String?
    /// Whether `--nonfinite` was given.
    var hasLoadingOption = false

    /// `-` is stdout.
    var file: String { path ?? Self.defaultPath }

    /// Whether the output isn't a file that could be replaced.
    var isStream: Bool { file == "-" || !(FileLocation.status(ofPath: file)?.isRegular ?? true) }

    /// What a failed run leaves behind, for messages.
    var aftermath: String { isStream ? "what came out isn't a whole property list" : "\(file) is as it was" }

    mutating func setPath(_ text: String) throws(UsageError) {
        guard path == nil else { throw UsageError("'\(text)' isn't expected; one FILE is stored at a time") }
        guard !text.isEmpty else {
            throw UsageError("FILE is empty; name a file, or leave it out for \(Self.defaultPath)")
        }
        path = text
    }

    /// Takes the option that says what to do; there may be one of them.
    mutating func choose(_ action: StoreAction) {
        if let chosen = self.action.option, let option = action.option, chosen != option {
            rivals = (chosen, option)
        }
        self.action = action
    }

    /// Checks the options against each other.
    func check() throws(UsageError) {
        if let rivals { throw UsageError("\(rivals.0) and \(rivals.1) each say what to do; choose one") }
        if action.isReading, let option = storingOption ?? (!keys.isEmpty && !layout.isKeyed ? "--key" : nil) {
            throw UsageError("\(action.option ?? "") only reads; leave out \(option)")
        }
        if action != .load, changesPath == nil, hasLoadingOption {
            throw UsageError(
                "--nonfinite is about what --load and --changes write; leave it out, or add one of them")
        }
        try checkKeys()
        if layout.isKeyed, mode == .append {
            throw UsageError("--keyed holds one record for a key; use --mode=merge instead of append")
        }
        if let path = rules.dates.first(where: { date in rules.data.contains { $0.text == date.text } }) {
            throw UsageError("--date and --data both name \(path.text); choose one")
        }
        if changesPath == "-", isTeeing || file == "-" {
            throw UsageError("--changes - and \(isTeeing ? "--tee" : "-") both want stdout; name a file")
        }
        if isTeeing, file == "-" { throw UsageError("--tee and - both want stdout; name a file") }
        if verifies, file == "-" { throw UsageError("--verify reads the file back; name a file instead of -") }
    }

    /// What can't be done without keys.
    private func checkKeys() throws(UsageError) {
        guard keys.isEmpty, !action.isReading else { return }
        if mode == .merge || mode == .remove {
            throw UsageError("--mode=\(mode == .merge ? "merge" : "remove") needs --key PATH")
        }
        if layout.isKeyed { throw UsageError("--keyed needs --key PATH") }
        if changesPath != nil { throw UsageError("--changes needs --key PATH, which tells records apart") }
        if !ignored.isEmpty { throw UsageError("--ignore needs --key PATH, which tells records apart") }
    }

    /// - Throws: status 64 if a file would be two things at once.
    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts()
        files.write("--report", reportPath)
        files.write("--rejects", input.rejectsPath)
        if let changesPath, changesPath != "-" { files.write("--changes", changesPath) }
        if !action.isReading, file != "-" { files.write("FILE", file) }
        try files.check(reads: [action.isReading ? file : "-"])
        // A killed run may have left the backup and FILE as two names of one file, which is fine.
        guard let backupSuffix else { return }
        var kept = FileConflicts(fillsOutput: false)
        kept.write("--report", reportPath)
        kept.write("--rejects", input.rejectsPath)
        if let changesPath, changesPath != "-" { kept.write("--changes", changesPath) }
        kept.write("--backup", file + backupSuffix)
        try kept.check(reads: [])
    }

    /// Notes an option that says how to store.
    mutating func noteStoring(_ option: String) { storingOption = storingOption ?? option }

    /// Reads a path to a part of a record.
    static func path(_ text: String, option: String) throws(UsageError) -> JSONPath {
        let path = try ArgumentValue.path(text, option: option)
        guard !path.isWhole else {
            throw UsageError("\(option) takes a path to a member such as $.id, not the record")
        }
        return path
    }
}
