// The input: its records go to the store.

import PipelineCore

struct StoreInput: ~Copyable {
    private let settings: StoreSettings
    private(set) var lines: RecordInput
    private(set) var records = 0
    private(set) var source: String?
    /// Whether the last line is a record without a value, and how many lines are so.
    private(set) var endsEmptied = false
    private var emptied = 0
    private let diagnostics: Diagnostics
    /// The paths that may find nothing, and the options that name them.
    private let watched: [(path: JSONPath, option: String)]
    private var watch: UnmatchedPaths

    init(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) {
        self.settings = settings
        self.diagnostics = diagnostics
        // A key that a record lacks is reported at once.
        watched =
            settings.mode == .remove
            ? []
            : settings.rules.dates.map { ($0, "--date") } + settings.rules.data.map { ($0, "--data") }
                + settings.ignored.map { ($0, "--ignore") }
        watch = UnmatchedPaths(watched.map { ($0.path, .anything) })
        diagnostics.progress?.update { $0.totalBytes = Descriptor.standardInput.bytesLeft }
        lines = try RecordInput(settings.input, diagnostics, showsProgress: true) { .notStored($0, settings) }
    }

    mutating func read(_ update: inout StoreUpdate) throws(ToolFailure) {
        try readAll { (line) throws(StoreFailure) in try update.keep(line) }
    }

    mutating func read(_ update: inout StoreUpdate, to writer: inout StoreWriter) throws(ToolFailure) {
        let needsUpdate = !settings.keys.isEmpty || settings.keepsShape
        try readAll { (line) throws(StoreFailure) in
            needsUpdate ? try update.put(line, into: &writer) : try writer.append(line)
        }
    }

    /// - Parameter store: takes a record. Returns what is wrong with it.
    private mutating func readAll(_ store: (Span<UInt8>) throws(StoreFailure) -> BadRecord?) throws(ToolFailure) {
        do throws(ToolFailure) { while try lines.next() == .record { try take(store) } } catch {
            try lines.close()
            throw error
        }
        try lines.close()
        let findings = watch.take()
        for (index, entry) in watched.enumerated() {
            if let message = findings.message(index, entry.path, origin: ", which \(entry.option) names") {
                diagnostics.warning(message)
            }
        }
    }

    /// Whether the records end with what a tool left of a seal: it has no value, and each one before it has some.
    var endsWithRemains: Bool { endsEmptied && emptied == 1 && records > 1 }

    private mutating func take(_ store: (Span<UInt8>) throws(StoreFailure) -> BadRecord?) throws(ToolFailure) {
        endsEmptied = SealClaim.isEmptied(lines.record)
        if endsEmptied { emptied += 1 }
        if SealClaim.isOverlaid(lines.record) {
            return try lines.reject(
                Message("this is a seal to which a tool added members", cure: SealClaim.remainsCure))
        }
        if let bad = try ToolFailure.storing(settings, store(lines.record)) { return try reject(bad) }
        records += 1
        if records == 1 { source = (try? JSONTree.read(lines.record))?["source"]?.string }
        if watch.isWatching { watch.look(lines.record) }
    }

    /// Why the records may not be the whole list of a source; nil if they are, or nobody asked.
    var notWhole: ToolFailure? {
        if let failure = ToolFailure.notSealed(lines.seals, isEmptied: endsEmptied, settings) { return failure }
        if let failure = ToolFailure.notWhole(lines.badLineCount, settings) { return failure }
        return endsWithRemains ? .takenApart(settings) : nil
    }

    private mutating func reject(_ bad: BadRecord) throws(ToolFailure) {
        switch bad.reason {
        case .json(let error): try lines.reject(error)
        case .noKey where endsEmptied && emptied == 1 && records > 0:
            try lines.reject(
                Message(
                    "the record has no value, so no key, as a seal that a tool took apart",
                    cure: SealClaim.remainsCure))
        case .noKey(let path):
            try lines.reject(
                missing: "a string or a number", at: settings.keys[path], origin: ", which --key names")
        default:
            let path = JSONLocation.path(toPart: bad.offset, in: lines.record)
            try lines.reject("\(path): \(bad.reason.message)", at: bad.offset)
        }
    }
}
