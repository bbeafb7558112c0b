// The runs that only read a store: `--load`, `--newest` and `--describe`.

import PipelineCore

enum StoreReading {
    static func run(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        // Without FILE, a store on stdin would go unread in silence.
        if settings.path == nil, case .store? = InputHead(of: "/dev/stdin")?.kind {
            throw ToolFailure(.usage, "\(settings.file) would be read, not stdin; give - as FILE to read stdin")
        }
        let path = settings.file
        let newest: Newest? = if case .newest(let path) = settings.action { Newest(path) } else { nil }
        guard let file = newest == nil ? try opened(path, settings) : try openedIfAny(path) else { return .done }
        report.bytesIn = file.fileSize ?? 0
        // An empty file may be a store of lines without any.
        guard report.bytesIn > 0 || StoreFormat.named(by: path)?.keepsLines == true else {
            throw ToolFailure(.badData, "\(file.name) is empty; name a store")
        }
        var output = OutputBuffer(.standardOutput)
        defer { report.bytesOut = output.bytesWritten }
        let result = Result { () throws(ToolFailure) in
            if let newest {
                try ToolFailure.reading(path, find(newest, in: file, settings, diagnostics, &output, &report))
            } else if case .describe = settings.action {
                let shape = try ToolFailure.reading(path, StoreShape(file, layout: settings.layout))
                report.recordsIn = shape.records
                output.append(try ToolFailure.reading(path, shape.swift(typeName: settings.typeName)) + "\n")
            } else {
                try load(file, settings, diagnostics, &output, &report)
            }
        }
        // After a failure of `--load`, what was written is whole records.
        try output.flush()
        try result.get()
        return .done
    }

    /// Prints lines rather than one array, so that what precedes a failure is still valid.
    private static func load(
        _ file: Descriptor, _ settings: StoreSettings, _ diagnostics: Diagnostics, _ output: inout OutputBuffer,
        _ report: inout RunReport
    ) throws(ToolFailure) {
        let path = settings.file
        var store = try ToolFailure.reading(path, StoredRecords.opened(file, layout: settings.layout))
        var writer = JSONLineWriter(writesNonfiniteAsText: settings.rules.isLossy)
        let display = RecordDisplay()
        var table = CSVTable(settings.columns)
        if !table.isEmpty { output.append(table.header()) }
        defer { report.recordsOut = report.recordsIn }
        while try ToolFailure.reading(path, store.next(into: &writer)) {
            report.recordsIn = store.count
            if table.isEmpty {
                output.append(writer.line, as: display)
            } else {
                do throws(JSONError) { try table.append(writer.line, to: &output) } catch {
                    throw .unreadable(.unfit("\(error)", path: store.path), path)
                }
            }
            try output.endRecord()
        }
        for warning in table.warnings() { diagnostics.warning(warning) }
        let count = writer.nonfiniteAsText
        let lossy = ByteBuffer.object { if count > 0 { $0.addMember("nonfiniteAsText", count) } }
        report.members.append(("lossy", lossy.text))
    }

    private static func find(
        _ search: Newest, in file: Descriptor, _ settings: StoreSettings, _ diagnostics: Diagnostics,
        _ output: inout OutputBuffer, _ report: inout RunReport
    ) throws(StoreFailure) {
        var newest = search
        var store = try StoredRecords.opened(file, layout: settings.layout)
        var writer = JSONLineWriter(writesNonfiniteAsText: true)
        while try store.next(into: &writer) {
            report.recordsIn = store.count
            do throws(JSONError) { try newest.take(writer.line) } catch {
                throw .unfit("\(error)", path: store.path)
            }
        }
        if let line = newest.line {
            output.append((Descriptor.standardOutput.isTerminal ? Diagnostics.printable(line) : line) + "\n")
        }
        if let warning = newest.warning { diagnostics.warning(warning) }
    }

    /// Opens a store, which is copied first if it is a pipe.
    static func opened(_ path: String, _ settings: StoreSettings) throws(ToolFailure) -> Descriptor {
        let file = try seekable(ToolFailure.of(found(path), as: ToolFailure.notRead))
        let start = try ToolFailure.of(file.bytes(InputKind.headBytes))
        if try ToolFailure.reading(path, StoreFormat.of(file)) == .jsonl {
            // Of a comparison `--format` may say what both are made first.
            if settings.format == nil, let failure = settings.misfit(.jsonl, holds: "holds", of: file.name) {
                throw failure
            }
            if StoreInspection.holdsLines(file) { return file }
        }
        guard let kind = InputKind(head: start, isWhole: start.count < InputKind.headBytes) else { return file }
        let tool: String
        switch kind {
        // For these the position of the fault says more.
        case .store, .encoded, .xml, .loose, .binary: return file
        case .array, .wrapper, .spread, .sequence, .table, .plainText: tool = "store-plist NEW.plist"
        case .gzip, .zstandard, .bzip2, .xz, .zip, .html: tool = "store-plist …"
        }
        throw ToolFailure(.badData, kind.verdict(on: file.name, tool: tool))
    }

    /// - Returns: nil if the store is empty or isn't there.
    private static func openedIfAny(_ path: String) throws(ToolFailure) -> Descriptor? {
        let file: Descriptor
        do throws(SystemError) { file = try found(path) } catch {
            if error.isNotFound { return nil }
            throw .notRead(error)
        }
        let store = try seekable(file)
        return store.fileSize == 0 ? nil : store
    }

    private static func found(_ path: String) throws(SystemError) -> Descriptor {
        path == "-" ? .standardInput : try .reading(path)
    }

    private static func seekable(_ file: Descriptor) throws(ToolFailure) -> Descriptor {
        if try ToolFailure.of(file.status().isRegular, as: ToolFailure.notRead) { return file }
        let copy = try ToolFailure.of(SpillFile.nameless(beside: nil), as: ToolFailure.notKept)
        try ToolFailure.of(file.copy(to: copy), as: { $0.subject == copy.name ? .notKept($0) : .notRead($0) })
        return Descriptor(rawValue: copy.rawValue, name: file.name)
    }
}

/// `--newest`: keeps the greatest of the values that a path finds in the lines of `--load`; of equal ones the first. A time
/// comes before a number, a number before a text.
///
///     "pending", 7, "2026-11-23", 2026-11-22T23:30:00-01:00     ->  2026-11-22T23:30:00-01:00
struct Newest {
    private enum Value {
        case text([UInt8])
        case number([UInt8])
        /// Whole seconds since 1970, and the fraction.
        case time(Int, Double)
    }

    private var search: JSONPathEvaluator
    private var value: Value?
    /// The value as `--load` writes it, without quotes: a text's escapes stay, so it is always one line.
    private(set) var line: String?
    private var records = 0
    private var watch: UnmatchedPaths

    init(_ path: JSONPath) {
        search = JSONPathEvaluator(path)
        watch = UnmatchedPaths([(path, .anything)])
    }

    mutating func take(_ record: Span<UInt8>) throws(JSONError) {
        records += 1
        try search.evaluate(record, isChecked: true)
        watch.look(record)
        for node in search.nodes {
            guard let other = Self.value(of: node, in: record), isLess(than: other) else { continue }
            value = other
            line = record.extracting(node.kind == .string ? node.content : node.range).text
        }
    }

    /// - Returns: nil for what has no order.
    private static func value(of node: JSONNode, in record: Span<UInt8>) -> Value? {
        switch node.kind {
        case .number: return .number(record.extracting(node.range).array)
        case .string:
            let text = JSONStringDecoder.decoded(record.extracting(node.content))
            // A leap second is the first second of the next minute, as fetch-characters reads it.
            if let time = UTCCalendar.seconds(rfc3339: text.span, allowsLeapSecond: true) {
                return .time(time.whole, time.part)
            }
            return UTCCalendar.day(rfc3339: text.span).map { .time($0 * 86_400, 0) } ?? .text(text)
        default: return nil
        }
    }

    private func isLess(than other: Value) -> Bool {
        switch (value, other) {
        case (nil, _): true
        case (.time(let seconds, let part)?, .time(let otherSeconds, let otherPart)):
            (seconds, part) < (otherSeconds, otherPart)
        case (.number(let number)?, .number(let other)): JSONNumberOrder.between(number.span, other.span) == .less
        // In UTF-8 the order of bytes is that of code points.
        case (.text(let text)?, .text(let other)): text.lexicographicallyPrecedes(other)
        case (.text?, _), (.number?, .time): true
        case (.number?, .text), (.time?, _): false
        }
    }

    /// What a run says where there are records, and nothing to print: most often the path is misspelt.
    var warning: Message? {
        mutating get {
            guard line == nil, records > 0 else { return nil }
            let those = records == 1 ? "the one record" : "\(records.grouped) records"
            return watch.take().message(0, search.path)
                ?? "\(search.path.text) finds no time, number or text in \(those); name a member that has one"
        }
    }
}

extension ToolFailure {
    /// A missing file counts as missing input; an error while reading it doesn't.
    fileprivate static func notRead(_ error: SystemError) -> ToolFailure {
        guard error.isUnusablePlace else { return ToolFailure(error) }
        return ToolFailure(
            .noInput, error.isDenied ? error.advice : "\(error); name an existing store, or - for stdin")
    }

    /// A pipe is copied to a temporary file, since it is read at many offsets.
    static func notKept(_ error: SystemError) -> ToolFailure {
        ToolFailure(.inputOutput, "\(error); make room there, or set TMPDIR to another directory")
    }

    static func reading<Result: ~Copyable>(
        _ file: String, _ read: @autoclosure () throws(StoreFailure) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(StoreFailure) { return try read() } catch { throw .unreadable(error, file) }
    }

    static func unreadable(_ failure: StoreFailure, _ file: String) -> ToolFailure {
        switch failure {
        case .system(let error): ToolFailure(error)
        case .invalid:
            ToolFailure(
                .badData,
                "\(fault(failure, file)); it is damaged, or of a format that plutil -convert xml1 turns into XML")
        case .badLine, .unfit, .otherLayout, .unwritable: ToolFailure(.badData, fault(failure, file))
        }
    }

    static func fault(_ failure: StoreFailure, _ file: String) -> Message {
        switch failure {
        case .system(let error): "\(error)"
        case .invalid(let what, let offset): "\(file): byte \(offset + 1): \(what)"
        case .badLine(let what, let line, let column): "\(file):\(line):\(column): \(what)"
        case .unfit(let what, let path), .otherLayout(let what, let path): "\(file): \(shortened(path)): \(what)"
        case .unwritable(let what): "\(file): a stored record: \(what)"
        }
    }

    /// A path in a damaged file may have any length.
    private static func shortened(_ path: String) -> String {
        path.count > 160 ? "\(path.prefix(100))…\(path.suffix(20))" : path
    }
}
