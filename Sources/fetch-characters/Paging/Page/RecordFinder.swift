// Finds the records of a response. Nearly always they are an array of objects, found in the pass that checks the response.
// Whatever else a description promises is brought into that shape first, see RecordElements.

import PipelineCore

/// Reuses its buffers.
struct RecordFinder: Sendable {
    private let source: Source
    private var path: JSONPath { source.records.path }
    private var key: String? { source.records.key }
    /// The names in the path, if it consists of names and leads to an array.
    private let names: [[UInt8]]?

    var outline: RecordOutline
    /// The records that were made, if the outline is of them. Nil if it is of the response itself.
    private(set) var text: [UInt8]?
    /// The elements before the last filter was applied: what the service counts as a page.
    private(set) var listed = 0
    /// What leads to the records of the last response isn't there, and it may be so.
    private(set) var isLacking = false
    /// The object that the last response has in place of an array of records.
    private(set) var object: Range<Int>?

    private var hasIDs: Bool { source.members.contains { $0.name == .id && !$0.isOptional } }

    /// - Parameter hasMembers: the members of each record are needed.
    init(_ source: Source, hasMembers: Bool = true) {
        self.source = source
        let records = source.records
        names = records.key == nil && records.format.hasEnvelope ? records.path.names : nil
        outline = RecordOutline(hasMembers: hasMembers)
    }

    mutating func removeAll() {
        outline.removeAll()
        text = nil
    }

    var isOpen: Bool { path.fixedPart != nil }

    /// Checks the response and finds its records, in one pass.
    /// - Returns: false unless they are an array of objects at a plain path, in a response that is JSON.
    mutating func outline(_ body: Span<UInt8>) -> Bool {
        text = nil
        object = nil
        guard let names, outline.read(body, at: names) else { return false }
        listed = outline.records.count
        return true
    }

    /// Takes one object in a checked answer for the only record.
    mutating func take(_ record: Range<Int>, of body: Span<UInt8>) {
        removeAll()
        outline.add(record, of: body)
        listed = 1
    }

    /// - Parameters:
    ///   - mayLack: what leads to the records may be missing, as services leave out what is empty.
    ///   - mayBeNull: null is an empty list, as Go writes it.
    mutating func find(
        in body: Span<UInt8>, mayLack: Bool = false, mayBeNull: Bool = false
    ) throws(SourcePage.Fault) {
        let nodes = try path.nodes(in: body)
        // What a wildcard or a filter chooses from must be there even where that finds nothing.
        let places = try path.fixedPart?.nodes(in: body) ?? nodes
        isLacking = places.isEmpty && nodes.isEmpty && mayLack
        if nodes.isEmpty, !isLacking {
            guard !places.isEmpty else { throw .missing(path, in: body) }
            guard
                places.contains(where: { $0.kind == .array || $0.kind == .object || mayBeNull && $0.kind == .null })
            else { throw .nothing("no array in", path) }
        }
        if key == nil, places.count == 1, places[0].kind == .object { object = places[0].range }
        let isNull = nodes.allSatisfy { $0.kind == .null }
        var elements = RecordElements()
        for node in nodes {
            let value = body.extracting(node.range)
            switch node.kind {
            case .object where key != nil, .array where key == nil:
                elements.addParts(of: value, at: node.range.lowerBound)
            case .object: elements.add(node.range, isObject: true)
            case .array where value.isEmptyContainer: break
            case .null where mayBeNull || isOpen && !path.endsOpen || !isNull: break
            case .string, .number, .boolean, .null:
                guard path.endsOpen, key == nil else { throw .nothing("no array in", path) }
                elements.add(node.range, isObject: false)
            case .array: throw .nothing("an array, not an object of records, in", path)
            }
        }
        try take(elements, of: body)
        if isOpen { try count(in: body, places) }
    }

    mutating func take(_ elements: RecordElements, of body: Span<UInt8>) throws(SourcePage.Fault) {
        removeAll()
        listed = elements.ranges.count
        if elements.areRecords {
            for range in elements.ranges { outline.add(range, of: body) }
            return
        }
        let made = elements.records(of: body, key: key)
        guard made.text.count <= RecordOutline.limitBytes else {
            throw .broken("more records than fit into \(RecordOutline.limitBytes >> 30) GiB")
        }
        for range in made.ranges { outline.add(range, of: made.text.span) }
        text = made.text
    }

    /// Counts what the service lists, where a filter or a wildcard finds fewer.
    private mutating func count(in body: Span<UInt8>, _ places: [JSONNode]) throws(SourcePage.Fault) {
        if let unfiltered = path.unfiltered {
            listed = try unfiltered.nodes(in: body).count
        } else if listed == 0 || path.isNested, !path.isDescendant {
            // A service counts the elements of `$.data[*].films[*]`. Those of `$..film` are unknown.
            var elements = RecordElements()
            for node in places where node.kind == .array {
                elements.addParts(of: body.extracting(node.range), at: node.range.lowerBound)
            }
            listed = elements.ranges.count
        }
    }
}

/// The records of a response in JSON Lines: a value on each line.
extension RecordFinder {
    mutating func findLines(of body: Span<UInt8>) throws(SourcePage.Fault) {
        let used = try takeLines(of: body, after: 0)
        if used.bytes < body.count { _ = try takeLines(of: body.extracting(used.bytes...), after: used.lines) }
    }

    /// Finds the records of whole lines, up to the first that isn't as promised.
    /// - Parameter count: the lines of the response before these.
    /// - Throws: if the first line isn't.
    mutating func takeLines(
        of text: Span<UInt8>, after count: Int
    ) throws(SourcePage.Fault) -> (bytes: Int, lines: Int) {
        var elements = RecordElements()
        var used = (bytes: 0, lines: 0)
        while used.bytes < text.count {
            let lineEnd = text.firstIndex(of: 0x0A, from: used.bytes)
            let line = JSONDocument.trimmed(used.bytes..<(lineEnd ?? text.count), of: text)
            do throws(SourcePage.Fault) {
                let number = count + used.lines + 1
                guard line.count <= RecordStream.limitBytes else { throw .longLine(number) }
                if !line.isEmpty { try check(text.extracting(line), number, isLast: lineEnd == nil) }
            } catch {
                guard !elements.ranges.isEmpty else { throw error }
                break
            }
            if !line.isEmpty { elements.add(line, isObject: text[line.lowerBound] == UInt8(ascii: "{")) }
            used = (lineEnd.map { $0 + 1 } ?? text.count, used.lines + 1)
        }
        // A service that gives up says so on a line of its own.
        if hasIDs, let last = elements.ranges.last, let refusal = PageStatus(text.extracting(last)).refusal {
            throw .refused(refusal)
        }
        try take(elements, of: text)
        return used
    }

    private func check(_ value: Span<UInt8>, _ number: Int, isLast: Bool) throws(SourcePage.Fault) {
        do throws(SourcePage.Fault) {
            try JSONDocument.check(value)
            if value[0] == UInt8(ascii: "[") { try Self.checkDepth(value) }
        } catch {
            guard case .broken(let finding) = error else {
                // Only the last line can have been cut.
                if isLast { throw error }
                throw .broken("line \(number): text that isn't JSON")
            }
            throw .broken("line \(number): \(finding)")
        }
        try Refusal.check(value, source)
    }

    /// An array takes one level more when it becomes the member of a record.
    static func checkDepth(_ array: Span<UInt8>) throws(SourcePage.Fault) {
        var deeper = [UInt8(ascii: "[")]
        deeper.append(array)
        deeper.append(UInt8(ascii: "]"))
        try JSONDocument.check(deeper.span)
    }
}

/// The records of a response that comes in pieces.
extension RecordFinder {
    /// - Parameters:
    ///   - text: begins where the last call stopped.
    ///   - isLast: nothing follows the text.
    /// - Returns: how much of the text was used.
    /// - Throws: what is wrong, unless there are records before it: then the next call throws it.
    mutating func take(
        _ text: Span<UInt8>, _ stream: inout ElementStream, isLast: Bool
    ) throws(ElementStream.Fault) -> Int {
        var index = 0
        var others = RecordElements()
        do throws(ElementStream.Fault) {
            while try stream.reachElement(text, &index, isLast: isLast) {
                if others.ranges.isEmpty { stream.takeRecords(text, &index, &outline) }
                guard try stream.reachElement(text, &index, isLast: isLast) else { break }
                guard try takeOne(text, &stream, &index, &others, isLast: isLast) else { break }
            }
        } catch {
            guard !outline.records.isEmpty || !others.ranges.isEmpty else { throw error }
        }
        guard !others.ranges.isEmpty else { return index }
        do throws(SourcePage.Fault) { try take(others, of: text) } catch {
            throw .tooLarge(limitBytes: RecordOutline.limitBytes)
        }
        return index
    }

    /// - Returns: false if more of the text is needed, or the element isn't a record as those before it are.
    private mutating func takeOne(
        _ text: Span<UInt8>, _ stream: inout ElementStream, _ index: inout Int, _ others: inout RecordElements,
        isLast: Bool
    ) throws(ElementStream.Fault) -> Bool {
        let isRecord = text[index] == UInt8(ascii: "{")
        guard isRecord || outline.records.isEmpty,
            let element = try stream.takeElement(text, &index, isLast: isLast)
        else { return false }
        if text[element.value.lowerBound] == UInt8(ascii: "[") {
            do throws(SourcePage.Fault) { try Self.checkDepth(text.extracting(element.value)) } catch {
                throw .malformed(JSONError(.tooDeep, at: element.value.lowerBound))
            }
        }
        if let name = element.name {
            others.add(element.value, isObject: isRecord, name: name)
        } else if isRecord, others.ranges.isEmpty {
            outline.add(element.value, of: text)
        } else {
            others.add(element.value, isObject: isRecord)
        }
        return true
    }
}
