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
    /// `--force`: a file that can't be read as a store counts as none.
    var replacesAnything = false
    var messages = MessageSettings()
    private(set) var action = StoreAction.store
    /// Two options that each say what to do.
    private(set) var rivals: (String, String)?
    /// `--diff`: the old store.
    var oldStore: String?
    /// `--exit-status`
    var tellsByStatus = false
    var layout = StoreLayout()
    /// `--newest`
    var newest: JSONPath?
    /// `--describe`
    var description = StoreDescription.swift
    /// `--type`
    var typeName: String?
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
    /// The first option given of each use.
    private(set) var uses: [OptionUse: String] = [:]

    /// `-` is stdout.
    var file: String { path ?? Self.defaultPath }

    /// Whether the output isn't a file that could be replaced.
    var isStream: Bool { file == "-" || !(FileLocation.status(ofPath: file)?.isRegular ?? true) }

    /// What a failed run leaves behind, for messages.
    var aftermath: String {
        if action == .diff { return "nothing was compared" }
        if isStream { return "what came out isn't a whole property list" }
        return FileLocation.status(ofPath: file) == nil ? "nothing is stored" : "\(file) is unchanged"
    }

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

    /// The store that `--diff` compares with; nil for records that come in.
    var newStore: String? { path == "-" ? nil : path }

    /// Whether stdin is read, for records or for a store.
    var readsStandardInput: Bool {
        switch action {
        case .store: true
        case .diff: newStore == nil || oldStore == "-"
        default: file == "-"
        }
    }

    /// Notes an option that has no meaning for some runs.
    mutating func note(_ use: OptionUse, _ option: String) {
        if uses[use] == nil { uses[use] = option }
    }

    /// Reads a path to a part of a record.
    static func path(_ text: String, option: String) throws(UsageError) -> JSONPath {
        let path = try ArgumentValue.path(text, option: option)
        guard !path.isWhole else {
            throw UsageError("\(option) takes a path to a member such as $.id, not the record")
        }
        return path
    }
}

extension StoreSettings {
    /// Checks the options against each other.
    func check() throws(UsageError) {
        if let rivals { throw UsageError("\(rivals.0) and \(rivals.1) each say what to do; choose one") }
        try checkUses()
        if typeName != nil, action != .describe || description != .swift {
            throw UsageError("--type names the type of --describe swift; leave it out, or add --describe swift")
        }
        if !action.isReading { try checkKeys() }
        if !ignored.isEmpty, mode == .append || mode == .remove {
            throw UsageError(
                "--ignore says nothing to --mode=\(mode == .append ? "append" : "remove"); leave it out")
        }
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
        if oldStore == "-", newStore == nil {
            throw UsageError("--diff - and the records both want stdin; name the old store or the new one")
        }
    }

    /// Refuses options that say nothing to this run.
    private func checkUses() throws(UsageError) {
        let name = action.option ?? ""
        if action.isReading {
            let strange = uses[.replacing] ?? uses[.taking] ?? uses[.comparing]
            if let option = strange ?? (!keys.isEmpty && !layout.isKeyed ? "--key" : nil) {
                throw UsageError("\(name) only reads; leave out \(option)")
            }
        }
        if action == .diff {
            if let option = uses[.replacing] { throw UsageError("\(name) stores nothing; leave out \(option)") }
            if let newStore, let option = uses[.taking] {
                throw UsageError(
                    "\(option) is about records that come in, and \(newStore) is a store; leave it out")
            }
        } else if tellsByStatus {
            throw UsageError("--exit-status is about what --diff finds; leave it out, or add --diff")
        }
        if action == .load || action == .diff || changesPath != nil { return }
        if uses[.loading] != nil {
            throw UsageError(
                "--nonfinite is about what --load, --changes and --diff write; leave it out, or add one of them")
        }
    }

    /// What can't be done without keys.
    private func checkKeys() throws(UsageError) {
        guard keys.isEmpty else { return }
        if mode == .merge || mode == .remove {
            throw UsageError("--mode=\(mode == .merge ? "merge" : "remove") needs --key PATH")
        }
        let needs = [
            ("--changes", changesPath != nil), ("--diff", action == .diff), ("--ignore", !ignored.isEmpty),
        ]
        if let (option, _) = needs.first(where: { $0.1 }) {
            throw UsageError("\(option) needs --key PATH, which tells records apart")
        }
        if layout.isKeyed { throw UsageError("--keyed needs --key PATH") }
    }

    /// - Throws: status 64 if a file would be two things at once.
    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts()
        files.write("--report", reportPath)
        files.write("--rejects", input.rejectsPath)
        if changesPath != "-" { files.write("--changes", changesPath) }
        if action == .store, file != "-" { files.write("FILE", file) }
        // A lock that was replaced would keep every later run from storing.
        files.reserve("the lock", action == .store ? Self.lock(of: file) : nil)
        files.reserve("the lock", changesPath.flatMap { Self.lock(of: $0) })
        let reads = action.isReading ? [file] : action == .diff ? [oldStore ?? "-", newStore ?? "-"] : ["-"]
        try files.check(reads: reads)
        // A killed run may have left the backup and FILE as two names of one file, which is fine.
        guard let backupSuffix else { return }
        var kept = FileConflicts(fillsOutput: false)
        kept.write("--report", reportPath)
        kept.write("--rejects", input.rejectsPath)
        if changesPath != "-" { kept.write("--changes", changesPath) }
        kept.reserve("the lock", Self.lock(of: file))
        kept.write("--backup", (Self.resolved(file) ?? file) + backupSuffix)
        try kept.check(reads: [])
    }

    /// The file that a path leads to, which is the one that is replaced; nil for a stream.
    private static func resolved(_ path: String) -> String? {
        guard path != "-", FileLocation.status(ofPath: path)?.isRegular ?? true else { return nil }
        do throws(SystemError) {
            let location = try FileLocation(path)
            return location.directoryPath + location.name
        } catch {
            return nil
        }
    }

    private static func lock(of path: String) -> String? {
        guard let resolved = resolved(path) else { return nil }
        let (directory, name) = FileLocation.split(resolved)
        return directory + FileLock.name(for: name)
    }
}

/// The work of a run.
enum StoreAction: Equatable, Sendable {
    case store
    /// `--load`
    case load
    /// `--newest`
    case newest
    /// `--diff`
    case diff
    /// `--describe`
    case describe

    /// The option that asks for it; nil for storing, which needs none.
    var option: String? {
        switch self {
        case .store: nil
        case .load: "--load"
        case .newest: "--newest"
        case .diff: "--diff"
        case .describe: "--describe"
        }
    }

    /// Whether it only reads FILE.
    var isReading: Bool { self != .store && self != .diff }

    /// Whether a store that is empty or isn't there is as good as one without records.
    var allowsNoStore: Bool { self == .newest }
}

/// What `--describe` writes.
enum StoreDescription: Equatable, Sendable {
    case swift
    case schema
}

/// A group of options.
enum OptionUse {
    /// How the file is replaced.
    case replacing
    /// What becomes of records that come in.
    case taking
    /// What makes a difference between two records.
    case comparing
    /// How a record is written as JSON.
    case loading
}
