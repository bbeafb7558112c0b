// What store-plist can be told.

import PipelineCore

/// The settings of a run.
struct StoreSettings: Sendable {
    static let defaultPath = "characters.plist"

    private(set) var path: String?
    var input = InputSettings(badLines: .stop)
    var rules = ValueRules()
    /// `--format`; nil is the old file's.
    var format: PropertyListFormat?
    var lockWaitSeconds = 0.0
    var allowsEmpty = false
    var messages = MessageSettings()
    /// `--load`: from the store to records.
    var isLoading = false
    var layout = StoreLayout()
    /// `--nonfinite`
    var writesNonfiniteAsText = false
    var mode = StoreMode.replace
    var key: JSONPath?
    /// `--tee`: the records go to stdout too.
    var isTeeing = false
    var reportPath: String?
    /// `--sealed`
    var needsSeal = false
    /// `--min-records`
    var leastRecords = 0
    var backupSuffix: String?
    var verifies = false

    /// `-` is stdout.
    var file: String { path ?? Self.defaultPath }

    /// Takes the operand.
    mutating func setPath(_ text: String) throws(UsageError) {
        guard path == nil else { throw UsageError("'\(text)' isn't expected; one FILE is stored at a time") }
        guard !text.isEmpty else {
            throw UsageError("FILE is empty; name a file, or leave it out for \(Self.defaultPath)")
        }
        path = text
    }

    /// What the options ask for together.
    func check() throws(UsageError) {
        if mode == .merge || mode == .remove, key == nil {
            throw UsageError("--mode=\(mode == .merge ? "merge" : "remove") needs --key PATH")
        }
        if layout.isKeyed, key == nil, !isLoading { throw UsageError("--keyed needs --key PATH") }
        if layout.isKeyed, mode == .append {
            throw UsageError("--keyed holds one record for a key; use --mode=merge instead of append")
        }
        if isLoading, let option = storingOption { throw UsageError("--load only reads; leave out \(option)") }
        if isTeeing, file == "-" { throw UsageError("--tee and - both want stdout; name a file") }
        if verifies, file == "-" { throw UsageError("--verify reads the file back; name a file instead of -") }
    }

    /// The first option that was given and says how to store.
    private var storingOption: String? {
        let options = [
            ("--mode", mode != .replace), ("--key", key != nil && !layout.isKeyed), ("--tee", isTeeing),
            ("--format", format != nil), ("--sealed", needsSeal), ("--min-records", leastRecords > 0),
            ("--backup", backupSuffix != nil), ("--verify", verifies), ("--allow-empty", allowsEmpty),
            ("--wait", lockWaitSeconds > 0),
        ]
        return options.first { $0.1 }?.0
    }

    /// Reads a path to a part of a record.
    static func path(_ text: String, option: String) throws(UsageError) -> JSONPath {
        let path: JSONPath
        do throws(JSONPathError) {
            path = try JSONPath(text)
        } catch {
            throw UsageError("\(option): the path '\(text)' is wrong at character \(error.offset + 1): \(error)")
        }
        guard !path.isWhole else {
            throw UsageError("\(option) takes a path to a member such as $.id, not the record")
        }
        return path
    }
}
