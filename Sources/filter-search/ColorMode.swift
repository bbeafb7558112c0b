// Whether what was found is shown in colour.

import PipelineCore

/// `--color`.
enum ColorMode: Sendable {
    /// If stdout is a terminal, and neither NO_COLOR nor TERM speaks against it.
    case auto
    case always
    case never

    var isOn: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            Descriptor.standardOutput.isTerminal && Terminal.canErase
                && (Environment.value("NO_COLOR") ?? "").isEmpty
        }
    }
}
