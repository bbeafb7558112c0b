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
    var isQuiet = false
    /// `--load`: from the store to records.
    var isLoading = false
    var layout = StoreLayout()
    /// `--nonfinite`
    var writesNonfiniteAsText = false

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
}
