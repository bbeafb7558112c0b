// What a run is asked to do: to store records, or to read what is stored.

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
