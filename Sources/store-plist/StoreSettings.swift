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
