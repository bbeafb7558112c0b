// What a run is asked to do: to store records, or to read what is stored.

/// The work of a run.
enum StoreAction: Equatable, Sendable {
    case store
    /// `--load`
    case load

    /// The option that asks for it; nil for storing, which needs none.
    var option: String? {
        switch self {
        case .store: nil
        case .load: "--load"
        }
    }

    /// Whether it only reads FILE.
    var isReading: Bool { self != .store }
}
