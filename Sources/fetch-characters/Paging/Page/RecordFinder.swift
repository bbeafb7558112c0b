// Decides where the records of a response are. Nearly always they are an array of objects, found in the pass that checks the
// response. Whatever else a description promises is brought into that shape first, see RecordElements.

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
    /// The elements of the last response that are null, and so no records.
    private(set) var nulls = 0
    /// The parts of the last response that have its records and nothing else.
    private(set) var cuts: [Range<Int>] = []
    /// The names of the members of the first line.
    private var namesOfLine: Set<String>?
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
        nulls = 0
        cuts = []
    }

    var isOpen: Bool { path.fixedPart != nil }

    /// Checks the response and finds its records, in one pass.
    /// - Returns: false unless they are an array of objects at a plain path, in a response that is JSON.
    mutating func outline(_ body: Span<UInt8>) -> Bool {
        removeAll()
        object = nil
        guard let names, outline.read(body, at: names) else { return false }
        listed = outline.records.count
        if let first = outline.records.first, let last = outline.records.last {
            cuts = [first.range.lowerBound..<last.range.upperBound]
        }
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
    ) throws(Page.Fault) {
        let nodes = try path.nodes(in: body)
        // What a wildcard or a filter chooses from must be there even where that finds nothing.
        let places = try path.fixedPart?.nodes(in: body) ?? nodes
        isLacking = places.isEmpty && nodes.isEmpty && mayLack
        if nodes.isEmpty, !isLacking { try checkEmpty(places, in: body, mayBeNull: mayBeNull) }
        if key == nil, places.count == 1, places[0].kind == .object { object = places[0].range }
        let isNull = nodes.allSatisfy { $0.kind == .null }
        // Beside arrays a null is an empty one.
        let areElements = isOpen && !nodes.contains { $0.kind == .array }
        var elements = RecordElements()
        for node in nodes {
            let value = body.extracting(node.range)
            switch node.kind {
            case .object where key != nil, .array where key == nil:
                elements.addParts(of: value, at: node.range.lowerBound)
            case .object: elements.add(node.range, isObject: true)
            case .array where value.isEmptyContainer: break
            case .null where areElements || path.endsOpen: elements.addNull()
            case .null where mayBeNull || !isNull: break
            case .string, .number, .boolean, .null:
                guard path.endsOpen, key == nil else { throw .nothing("no array in", path) }
                elements.add(node.range, isObject: false)
            case .array: throw .nothing("an array, not an object of records, in", path)
            }
        }
        try take(elements, of: body)
        if isOpen { try count(in: body, places) }
        cuts = Self.insides(of: isOpen || key != nil ? places : nodes.filter { $0.kind == .array })
    }

    /// - Parameter places: what the path's first part leads to, of which it found nothing.
    private func checkEmpty(
        _ places: [JSONNode], in body: Span<UInt8>, mayBeNull: Bool
    ) throws(Page.Fault) {
        guard !places.isEmpty else {
            if try isParentThere(in: body) { return }
            throw .missing(path, in: body)
        }
        let isList = places.contains { place in
            place.kind == .array || place.kind == .object || mayBeNull && place.kind == .null
        }
        if !isList { throw .nothing("no array in", path) }
    }

    /// Services leave out what is empty: `{"QueryResponse":{}}` has no records for `$.QueryResponse.Invoice[*]`.
    private func isParentThere(in body: Span<UInt8>) throws(Page.Fault) -> Bool {
        guard path.endsOpen, let names = path.fixedPart?.names, names.count > 1 else { return false }
        let steps = names.dropLast().map { JSONLocation.PathStep.name($0.span.text) }
        guard let parent = try? JSONPath(JSONLocation.path(of: steps, style: .rooted)) else { return false }
        return try parent.first(in: body)?.kind == .object
    }

    /// What is between the brackets of arrays and objects, without those within others.
    private static func insides(of nodes: [JSONNode]) -> [Range<Int>] {
        let containers = nodes.filter { $0.kind == .array || $0.kind == .object }.map(\.range)
        var insides: [Range<Int>] = []
        for range in containers.sorted(by: { $0.lowerBound < $1.lowerBound })
        where range.lowerBound >= insides.last?.upperBound ?? 0 {
            insides.append(range.lowerBound + 1..<range.upperBound - 1)
        }
        return insides
    }

    mutating func take(_ elements: RecordElements, of body: Span<UInt8>) throws(Page.Fault) {
        removeAll()
        nulls = elements.nulls
        listed = elements.count
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
    private mutating func count(in body: Span<UInt8>, _ places: [JSONNode]) throws(Page.Fault) {
        if let unfiltered = path.unfiltered {
            listed = try unfiltered.nodes(in: body).count
        } else if listed == 0 || path.isNested, !path.isDescendant {
            // A service counts the elements of `$.data[*].films[*]`. Those of `$..film` are unknown.
            var elements = RecordElements()
            for node in places where node.kind == .array {
                elements.addParts(of: body.extracting(node.range), at: node.range.lowerBound)
            }
            listed = elements.count
        }
    }
}

/// The records of a response in JSON Lines: a value on each line.
extension RecordFinder {
    mutating func findLines(of body: Span<UInt8>) throws(Page.Fault) {
        let used = try takeLines(of: body, after: 0)
        if used.bytes < body.count { _ = try takeLines(of: body.extracting(used.bytes...), after: used.lines) }
    }

    /// Finds the records of whole lines, up to the first that isn't as promised.
    /// - Parameter count: the lines of the response before these.
    /// - Throws: if the first line isn't.
    mutating func takeLines(
        of text: Span<UInt8>, after count: Int
    ) throws(Page.Fault) -> (bytes: Int, lines: Int) {
        var elements = RecordElements()
        var used = (bytes: 0, lines: 0)
        while used.bytes < text.count {
            let lineEnd = text.firstIndex(of: 0x0A, from: used.bytes)
            let line = JSONDocument.trimmed(used.bytes..<(lineEnd ?? text.count), of: text)
            do throws(Page.Fault) {
                let number = count + used.lines + 1
                guard line.count <= RecordStream.limitBytes else { throw .longLine(number) }
                if !line.isEmpty { try check(text.extracting(line), number, isLast: lineEnd == nil) }
            } catch {
                guard elements.count > 0 else { throw error }
                break
            }
            if line.isEmpty {
            } else if text[line.lowerBound] == UInt8(ascii: "n") {
                elements.addNull()
            } else {
                elements.add(line, isObject: text[line.lowerBound] == UInt8(ascii: "{"))
            }
            used = (lineEnd.map { $0 + 1 } ?? text.count, used.lines + 1)
        }
        try checkLast(elements, of: text)
        try take(elements, of: text)
        return used
    }

    /// A service that gives up says so on a line of its own, which has nothing of a record.
    private mutating func checkLast(_ elements: RecordElements, of text: Span<UInt8>) throws(Page.Fault) {
        guard hasIDs, let first = elements.ranges.first, let last = elements.ranges.last else { return }
        func names(_ line: Range<Int>) -> Set<String> {
            Set(JSONDocument.memberNames(of: text.extracting(line), limit: ListPromise.nameLimit))
        }
        let known = namesOfLine ?? names(first)
        namesOfLine = known
        let line = text.extracting(last)
        guard !known.isEmpty, JSONDocument.object(in: line) != nil, known.isDisjoint(with: names(last)) else {
            return
        }
        throw .refused((try? JSONTree.read(line))?.message ?? line.text)
    }

    private func check(_ value: Span<UInt8>, _ number: Int, isLast: Bool) throws(Page.Fault) {
        do throws(Page.Fault) {
            try JSONDocument.check(value)
            if value[0] == UInt8(ascii: "[") { try Self.checkDepth(value) }
        } catch {
            // Only the last line can have been cut.
            if error == .cutShort, isLast { throw error }
            let finding = if case .foreign(let finding) = error { finding } else { "text that isn't JSON" }
            throw .foreign("line \(number): \(finding)")
        }
        try Refusal.check(value, source)
    }

    /// An array takes one level more when it becomes the member of a record.
    static func checkDepth(_ array: Span<UInt8>) throws(Page.Fault) {
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
            guard !outline.records.isEmpty || others.count > 0 else { throw error }
        }
        let nulls = others.nulls
        guard !others.ranges.isEmpty else {
            self.nulls = nulls
            return index
        }
        do throws(Page.Fault) { try take(others, of: text) } catch {
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
        let mayBeNull = text[index] == UInt8(ascii: "n")
        guard isRecord || mayBeNull || outline.records.isEmpty,
            let element = try stream.takeElement(text, &index, isLast: isLast)
        else { return false }
        if text[element.value.lowerBound] == UInt8(ascii: "[") {
            do throws(Page.Fault) { try Self.checkDepth(text.extracting(element.value)) } catch {
                throw .malformed(JSONError(.tooDeep, at: element.value.lowerBound))
            }
        }
        if text[element.value.lowerBound] == UInt8(ascii: "n") {
            others.addNull()
        } else if let name = element.name {
            others.add(element.value, isObject: isRecord, name: name)
        } else if isRecord, others.ranges.isEmpty {
            outline.add(element.value, of: text)
        } else {
            others.add(element.value, isObject: isRecord)
        }
        return true
    }
}
