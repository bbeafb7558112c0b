// What is checked once all records have come.

import PipelineCore
import PipelineHTTP

/// Compares the records of a run with what its description and its options promise.
struct RecordCheck {
    private let settings: FetchSettings
    private let source: Source
    private let diagnostics: Diagnostics

    init(_ settings: FetchSettings, _ source: Source, _ diagnostics: Diagnostics) {
        self.settings = settings
        self.source = source
        self.diagnostics = diagnostics
    }

    /// Checks that the records have what the description promises of them.
    /// - Throws: status 76 if none has an id or a name that is described.
    func checkMembers(_ presence: MemberPresence) throws(ToolFailure) {
        for missing in presence.missing(of: source) {
            let finding =
                "\(missing.text); the API may have changed: fetch-characters --source \(settings.source) --plan shows "
                + "what is expected, and --learn URL what there is"
            guard missing.isFatal else {
                diagnostics.warning(finding)
                continue
            }
            throw ToolFailure(.protocolError, finding)
        }
    }

    /// - Throws: status 76 if there are fewer or more records than asked for.
    func checkCount(_ count: Int) throws(ToolFailure) {
        if let expected = settings.expected, count != expected {
            throw ToolFailure(
                .protocolError,
                "got \(RecordStream.count(count)), not \(expected); check \(origin) and --expect")
        }
        if count < settings.leastRecords {
            throw ToolFailure(
                .protocolError,
                "got \(count) of at least \(settings.leastRecords) records; check \(origin) and --min-records")
        }
    }

    private var origin: String { settings.inputPath == nil ? "the service" : "the input" }
}
