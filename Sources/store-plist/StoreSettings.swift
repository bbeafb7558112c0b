// The settings of store-plist.

import PipelineCore

struct StoreSettings: ToolSettings, Sendable {
    static let defaultPath = "characters.plist"

    private(set) var path: String?
    /// The first operand after FILE.
    private var surplus: String?
    var input = InputSettings(badLines: .stop)
    var rules = ValueRules()
    /// `--format`; nil means the old file's.
    var format: StoreFormat?
    var lockWaitSeconds = 0.0
    /// `--force`: a file that can't be read as a store counts as none.
    var replacesAnything = false
    /// The options given that a store in JSON Lines has no use for.
    var propertyListOptions: [String] = []
    var messages = MessageSettings()
    var action = StoreAction.store
    var layout = StoreLayout()
    /// `--csv`; empty for JSON Lines.
    var columns: [CSVColumn] = []
    var typeName = StoreShape.defaultTypeName
    var mode = StoreMode.replace
    /// `--key`, several for a key of several values.
    var keys: [JSONPath] = []
    var ignored: [JSONPath] = []
    /// `--changes`; `-` is stdout.
    var changesPath: String?
    var keepsShape = false
    var reportPath: String?
    var needsSeal = false
    /// `--min-records`; nil means that one is enough, or none where the store has none.
    var leastRecords: Int?
    /// `--min-records 0`: no records may empty a store, or make one.
    var allowsEmpty: Bool { leastRecords == 0 }
    var backupSuffix: String?
    var verifies = false

    var file: String { path ?? Self.defaultPath }

    /// - Parameter old: that of the file to replace; nil if there is none, and then its name decides.
    func writtenFormat(over old: StoreFormat? = nil) -> StoreFormat {
        format ?? old ?? StoreFormat.named(by: file) ?? .default
    }

    /// The error for an option that only a property list has a use for, where a store has another format.
    /// - Parameters:
    ///   - holds: with the noun of the format after it.
    ///   - name: of the store; nil for FILE.
    func misfit(_ format: StoreFormat, holds: String, of name: String? = nil) -> ToolFailure? {
        guard format.keepsLines, let option = propertyListOptions.first else { return nil }
        let cure =
            action.isStoring
            ? "leave it out, or store to a FILE named .plist" : "leave it out"
        return ToolFailure(
            .usage,
            Message("\(option) is for property lists, and \(name ?? file) \(holds) JSON Lines", cure: cure))
    }

    /// Whether the output isn't a file that could be replaced.
    var isStream: Bool { RunTarget.isStream(file) }

    /// Whether an old store that can't be read is to be replaced all the same.
    func mayGiveUp(_ failure: StoreFailure) -> Bool {
        replacesAnything && mode == .replace && changesPath == nil && failure.spoilsAll(of: layout)
    }

    /// What has to be written for `mayGiveUp`.
    var force: String {
        if mode != .replace { return "--mode=replace --force" }
        return changesPath == nil ? "--force" : "--force without --changes"
    }

    /// What a failed run leaves behind, for messages.
    var aftermath: String {
        if action.oldStore != nil { return "nothing was compared" }
        if isStream { return "the output isn't a complete \(writtenFormat().noun)" }
        return FileLocation.status(ofPath: file) == nil ? "nothing is stored" : "\(file) is unchanged"
    }

    /// A store under a name that says something else is usually a wrong guess of what the tool writes.
    var warning: Message? {
        guard action.isStoring, let name = path else { return nil }
        let old = isStream ? nil : StoreFormat.held(by: name)
        let written = writtenFormat(over: old)
        guard !written.keepsLines else { return nil }
        if [".json", ".csv"].contains(where: name.hasSuffix) {
            return "\(name) gets a \(written.noun); --format jsonl, or a new FILE named .jsonl, stores JSON Lines"
        }
        guard format == nil, StoreFormat.named(by: name)?.keepsLines == true else { return nil }
        return "\(name) holds a \(written.noun), and gets one; --format jsonl makes it JSON Lines"
    }

    mutating func setPath(_ text: String) throws(UsageError) {
        guard path == nil else { return surplus = surplus ?? text }
        guard !text.isEmpty else {
            throw UsageError("FILE is empty; name a file, or leave it out for \(Self.defaultPath)")
        }
        path = text
    }

    var writesRecords: Bool { !action.isStoring }

    /// The store that `--diff` compares with; nil for records that come in.
    var newStore: String? { path == "-" ? nil : path }

    var readsStandardInput: Bool {
        switch action {
        case .store: true
        case .diff(let old): newStore == nil || old == "-"
        default: file == "-"
        }
    }
}

extension StoreSettings {
    /// The error for an operand after FILE. Only where records are stored does it advise to store some.
    private func unexpected(_ text: String) -> UsageError {
        switch action {
        case .store: break
        case .diff: return UsageError("'\(text)' isn't expected; --diff OLD takes one other store")
        case .load, .newest, .describe: return UsageError("'\(text)' isn't expected; one FILE is read")
        }
        // Of the two names one may say which is the store.
        let isSecond = StoreFormat.isNamed(by: text) && !StoreFormat.isNamed(by: file)
        let (store, input) = isSecond ? (text, file) : (file, text)
        let (to, from) = (ShellWord.quoted(store), ShellWord.quoted(input))
        let command =
            StoreFormat.isNamed(by: input)
            ? "store-plist --load \(from) | store-plist \(to)" : "store-plist \(to) < \(from)"
        let cure = file == "load" ? "write --load \(ShellWord.quoted(text))" : "records come on stdin: \(command)"
        return UsageError("'\(text)' isn't expected; \(cure)")
    }

    func check() throws(UsageError) {
        if let surplus { throw unexpected(surplus) }
        if case .newest(let member) = action, StoreFormat.isNamed(by: member.text),
            path.map({ FileLocation.status(ofPath: $0) == nil }) ?? true
        {
            let command = "--newest \(ShellWord.quoted(path ?? "updatedAt")) \(ShellWord.quoted(member.text))"
            throw UsageError("--newest takes a member first: \(command)")
        }
        if file == "-", action.isStoring, let format, !format.isText, Descriptor.standardOutput.isTerminal {
            throw UsageError("a terminal can't show a \(format) \(format.noun); name a file instead of -")
        }
        if action.isStoring, file != "-", let output = Descriptor.standardOutput.openPath,
            StoreFormat.isNamed(by: output)
        {
            let name = ShellWord.quoted(output)
            throw UsageError("\(name) would get what stdout has, which isn't the store; write store-plist \(name)")
        }
        if let path = rules.dates.first(where: { date in rules.data.contains { $0.text == date.text } }) {
            throw UsageError("--date and --data both name \(path.text); choose one")
        }
        if changesPath == "-", file == "-" { throw UsageError("--changes - and - both want stdout; name a file") }
        if verifies, file == "-" { throw UsageError("--verify reads the file back; name a file instead of -") }
        if action.oldStore == "-", newStore == nil {
            throw UsageError("--diff - and the records both want stdin; name the old store or the new one")
        }
    }

    func checkFiles() throws(ToolFailure) {
        if action.isStoring, isStream { try checkStream() }
        func others(_ files: inout FileConflicts) throws(ToolFailure) {
            try files.write("--report", reportPath)
            try files.write("--on-bad-line", input.rejectsPath)
            if changesPath != "-" { try files.write("--changes", changesPath) }
        }
        var files = FileConflicts()
        try others(&files)
        if action.isStoring, file != "-" { try files.write("FILE", file) }
        // A lock that was replaced would keep every later run from storing.
        files.reserve("the lock", action.isStoring ? Self.lock(of: file) : nil)
        files.reserve("the lock", changesPath.flatMap { Self.lock(of: $0) })
        switch action {
        case .store: try files.check(reads: ["-"])
        case .diff(let old): try files.check(reads: [old, newStore ?? "-"])
        case .load, .newest, .describe: try files.check(reads: [file])
        }
        var kept = FileConflicts(fillsOutput: false)
        try others(&kept)
        // A killed run may have left the backup and FILE as two names of one file, which is fine.
        if let backupSuffix {
            var all = kept
            all.reserve("the lock", Self.lock(of: file))
            let resolved = Self.location(file).map { $0.directoryPath + $0.name }
            try all.write("--backup", (resolved ?? file) + backupSuffix)
            try all.check(reads: [])
        }
        try kept.keepStores()
    }

    private func checkStream() throws(ToolFailure) {
        if FileLocation.status(ofPath: file)?.isDirectory == true {
            throw ToolFailure(.cannotCreate, "\(file) is a directory; name a file in it")
        }
        guard mode == .replace else {
            throw ToolFailure(.usage, "\(file) is a stream; --mode needs a file that holds records")
        }
        let unfit = [
            ("--verify", verifies), ("--backup", backupSuffix != nil), ("--changes", changesPath != nil),
            ("--ignore", !ignored.isEmpty), ("--same-shape", keepsShape),
        ]
        if let (option, _) = unfit.first(where: { $0.1 }) {
            throw ToolFailure(.usage, "\(file) is a stream, which can't be read again; leave \(option) out")
        }
    }

    /// The file that a path leads to, which is the one that is replaced; nil for a stream.
    private static func location(_ path: String) -> FileLocation? {
        RunTarget.isStream(path) ? nil : try? FileLocation(path)
    }

    private static func lock(of path: String) -> String? {
        location(path).map { $0.directoryPath + FileLock.name(for: $0.name) }
    }
}

enum StoreAction: Sendable {
    case store
    case load
    case newest(JSONPath)
    case diff(String)
    case describe

    var isStoring: Bool { if case .store = self { true } else { false } }
    var oldStore: String? { if case .diff(let path) = self { path } else { nil } }
}
