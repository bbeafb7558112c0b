// The readers of property lists: what is accepted as a store is records, and the same ones after it was stored again.

import TestSupport

@testable import PipelineCore
@testable import store_plist

struct StoreRoundTrip {
    private let workspace: Workspace

    init(_ workspace: Workspace) { self.workspace = workspace }

    func check(_ bytes: [UInt8]) throws {
        try workspace.input.fill(bytes)
        _ = try StoreInspection(try FileLocation(workspace.input.path))
        for layout in try layouts() {
            let records = try load(workspace.input.descriptor, layout, size: bytes.count)
            let count = try self.count(workspace.input, layout)
            let lines = InputText.lines(try workspace.output.content())
            for line in lines { try isRecord(line) }
            guard let records else { continue }
            try demand(records == lines.count, "\(records) records on \(lines.count) lines")
            // The check wants a layout that fits exactly; loading takes any root that has records.
            if let count { try demand(count == records, "\(count) records counted, \(records) loaded") }
            try describe(workspace.input.descriptor, layout, records: records)
            if try StoreFormat.of(workspace.input.descriptor)?.keepsLines == true {
                let again = try storedAndLoaded(lines, .jsonl)
                try demand(again?.lines == lines, "other lines after they were stored")
            } else {
                try storeAndLoad(lines)
            }
        }
    }

    /// As it is; where the root is a dictionary also keyed, and under a member.
    private func layouts() throws -> [StoreLayout] {
        do throws(StoreFailure) {
            var file = try StoreFormat.decoder(of: workspace.input.descriptor)
            guard try file.next() == .beginDictionary else { return [StoreLayout()] }
        } catch {
            return [StoreLayout()]
        }
        var keyed = StoreLayout()
        keyed.isKeyed = true
        var rooted = StoreLayout()
        rooted.root = "r"
        return [StoreLayout(), keyed, rooted]
    }

    /// - Returns: the number of records; nil where the store can't be read.
    private func load(_ file: Descriptor, _ layout: StoreLayout, size: Int) throws -> Int? {
        try workspace.output.empty()
        var buffer = OutputBuffer(workspace.output.descriptor)
        do {
            var store = try StoredRecords.opened(file, layout: layout)
            var writer = JSONLineWriter(writesNonfiniteAsText: true)
            do throws(StoreFailure) {
                while try store.next(into: &writer) {
                    buffer.append(writer.line)
                    buffer.append(0x0A)
                }
            } catch {
                try isInside(error, size)
                try buffer.flush()
                return nil
            }
            try buffer.flush()
            return store.count
        } catch let error as StoreFailure {
            try isInside(error, size)
            return nil
        }
    }

    private func count(_ file: ScratchFile, _ layout: StoreLayout) throws -> Int? {
        do throws(StoreFailure) {
            var records = try StoredRecords.opened(file.descriptor, layout: layout, forUpdate: true)
            var encoded = RecordEncoder(for: .binary)
            while try records.next(into: &encoded) {}
            return records.count
        } catch {
            if case .system(let error) = error { throw error }
            return nil
        }
    }

    /// What can be loaded can be described where it is within the limits.
    private func describe(_ file: Descriptor, _ layout: StoreLayout, records: Int) throws {
        do {
            let shape = try StoreShape(file, layout: layout)
            try demand(shape.records == records, "\(shape.records) records described, \(records) loaded")
            _ = try shape.swift(typeName: "Record")
        } catch let error as StoreFailure {
            guard case .unfit = error else { throw error }
        }
    }

    private func isInside(_ error: StoreFailure, _ size: Int) throws {
        switch error {
        case .system(let error): throw error
        case .invalid(let what, let offset):
            try demand((0...size).contains(offset), "\(what) at \(offset) of \(size)")
        case .badLine(let what, let line, let column):
            try demand(line > 0 && (1...size + 1).contains(column), "\(what) at \(line):\(column) of \(size)")
        case .unfit(let what, let path), .otherLayout(let what, let path):
            try demand(path.hasPrefix("$"), "\(what) at \(path)")
        case .unwritable(let what): throw Finding("\(what) while reading")
        }
    }

    private func isRecord(_ line: [UInt8]) throws {
        do {
            let record = try PlainJSON.read(line)
            try demand(record.kind == .object, "a line that is no record")
        } catch let fault as PlainJSON.Fault {
            throw Finding("a line that is no JSON at \(fault.offset) of \(line.count)")
        }
    }

    /// Stored in either form the records come back; of names that stand twice the last one.
    private func storeAndLoad(_ lines: [[UInt8]]) throws {
        guard let (binary, hasDuplicates) = try storedAndLoaded(lines, .binary) else {
            throw Finding("loaded records that can't be stored")
        }
        try demand(hasDuplicates || binary == lines, "other records after they were stored in binary form")
        if hasDuplicates {
            let again = try storedAndLoaded(binary, .binary)
            try demand(again?.lines == binary && again?.hasDuplicates == false, "names that stand twice stay")
        }
        // XML has no place for most control characters.
        guard let (xml, _) = try storedAndLoaded(lines, .xml) else { return }
        try demand(xml == binary, "other records after they were stored as XML")
    }

    /// - Returns: nil where a line has a value that the form can't hold.
    private func storedAndLoaded(
        _ lines: [[UInt8]], _ format: StoreFormat
    ) throws -> (lines: [[UInt8]], hasDuplicates: Bool)? {
        // Gathered as for a stream, which never gets it.
        var writer = StoreWriter(
            try .gathered(for: workspace.output.descriptor), at: nil, format: format, rules: ValueRules(),
            verifies: true)
        try writer.begin()
        for line in lines {
            guard let bad = try writer.append(line.span) else { continue }
            guard format == .xml, bad.reason.message.what.hasPrefix("XML can't hold") else {
                throw Finding("a record that can't be stored: \(bad.reason.message)")
            }
            return nil
        }
        try writer.finish()
        let isSame = try writer.readsBack()
        try demand(isSame, "a store that doesn't hold what came")
        let hasDuplicates = writer.choices.duplicatesDropped > 0
        guard let stored = try writer.file.readBack() else { throw Finding("a store that nobody can read") }
        guard try load(stored, StoreLayout(), size: stored.status().bytes) == lines.count else {
            throw Finding("a store that can't be read back")
        }
        return (InputText.lines(try workspace.output.content()), hasDuplicates)
    }
}
