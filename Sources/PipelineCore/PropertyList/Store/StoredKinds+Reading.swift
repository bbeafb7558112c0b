// Reads what the old store knows of its values. A store without dates and data, as most are, is only scanned for their
// marks. Of others the paths are read first, then what else is there, and the texts of mixed paths last.

extension StoredKinds {
    /// - Returns: nil for a store without dates and data.
    package static func read(_ file: Descriptor, _ layout: StoreLayout) throws(StoreFailure) -> StoredKinds? {
        guard try mayHoldAny(file) else { return nil }
        var kinds = StoredKinds()
        try kinds.pass(file, layout) { (kinds, record) in kinds.addPaths(of: record) }
        if kinds.isEmpty { return nil }
        try kinds.pass(file, layout) { (kinds, record) in
            kinds.visit(record) { (kinds, node, value, _) in kinds.add(Self.kind(of: value), at: node) }
        }
        guard kinds.hasMixedPaths else { return kinds }
        try kinds.pass(file, layout) { (kinds, record) in
            kinds.visit(record) { (kinds, node, value, content) in
                guard kinds.kinds(at: node).areMixed, let text = Self.text(of: value, content) else { return }
                kinds.add(Self.kind(of: value), text.span, at: node)
            }
        }
        if kinds.hasAmbiguousTexts { try kinds.addRecords(file, layout) }
        return kinds
    }

    private static func mayHoldAny(_ file: Descriptor) throws(StoreFailure) -> Bool {
        var decoder = try StoreFormat.decoder(of: file)
        return try decoder.mayHoldDatesOrData()
    }

    private mutating func pass(
        _ file: Descriptor, _ layout: StoreLayout, _ take: (inout StoredKinds, Span<UInt8>) -> Void
    ) throws(StoreFailure) {
        var store = try StoredRecords.opened(file, layout: layout, forUpdate: true)
        var encoded = RecordEncoder(for: .lossless)
        while try store.next(into: &encoded) { take(&self, encoded.record) }
    }

    private mutating func addRecords(_ file: Descriptor, _ layout: StoreLayout) throws(StoreFailure) {
        var line = JSONLineWriter(writesNonfiniteAsText: true)
        try pass(file, layout) { (kinds, record) in
            var ambiguous: [Kinds] = []
            kinds.visit(record) { (kinds, node, value, content) in
                guard let text = Self.text(of: value, content),
                    Self.isAmbiguous(kinds.kinds(of: text.span, at: node))
                else { return }
                ambiguous.append(Self.kind(of: value))
            }
            if !ambiguous.isEmpty, line.hold(record) { kinds.add(record: line.line, ambiguous) }
        }
    }

    // MARK: A record

    private enum Step {
        /// The range of the name in the record.
        case member(Range<Int>)
        case elements
    }

    /// Adds the paths that lead to dates and data.
    private mutating func addPaths(of record: Span<UInt8>) {
        var reader = RecordDecoder(record)
        var steps: [Step] = []
        if !reader.isAtEnd { addPaths(reader.next(), &reader, record, &steps) }
    }

    private mutating func addPaths(
        _ first: StoredElement, _ reader: inout RecordDecoder, _ record: Span<UInt8>, _ steps: inout [Step]
    ) {
        switch first {
        case .beginDictionary:
            while reader.next() == .key {
                steps.append(.member(reader.position - reader.text.count..<reader.position))
                addPaths(reader.next(), &reader, record, &steps)
                steps.removeLast()
            }
        case .beginArray:
            steps.append(.elements)
            while true {
                let element = reader.next()
                if element == .endArray { break }
                addPaths(element, &reader, record, &steps)
            }
            steps.removeLast()
        case .date: add(.date, at: node(of: steps, record))
        case .data: add(.data, at: node(of: steps, record))
        default: break
        }
    }

    private mutating func node(of steps: [Step], _ record: Span<UInt8>) -> Int {
        var node = Self.root
        for step in steps {
            switch step {
            case .member(let name): node = addMember(record.extracting(name), of: node)
            case .elements: node = addElements(of: node)
            }
        }
        return node
    }

    /// What is done with a value: its path, its first part, and its text or content.
    private typealias Visitor = (inout StoredKinds, Int, StoredElement, Span<UInt8>) -> Void

    /// Visits the values whose paths lead to dates or data somewhere in the store.
    private mutating func visit(_ record: Span<UInt8>, _ take: Visitor) {
        var reader = RecordDecoder(record)
        if !reader.isAtEnd { visit(reader.next(), at: Self.root, &reader, take) }
    }

    private mutating func visit(
        _ first: StoredElement, at node: Int, _ reader: inout RecordDecoder, _ take: Visitor
    ) {
        if !kinds(at: node).isEmpty { take(&self, node, first, reader.text) }
        switch first {
        case .beginDictionary:
            while reader.next() == .key {
                let member = member(reader.text, of: node)
                let value = reader.next()
                if let member { visit(value, at: member, &reader, take) } else { reader.skipRest(of: value) }
            }
        case .beginArray:
            guard let elements = elements(of: node) else { return reader.skipRest(of: first) }
            while true {
                let element = reader.next()
                if element == .endArray { break }
                visit(element, at: elements, &reader, take)
            }
        default: break
        }
    }

    private static func kind(of value: StoredElement) -> Kinds {
        switch value {
        case .string: .text
        case .data: .data
        case .date: .date
        default: .other
        }
    }

    /// The text that `--load` prints for a value; nil if it is none.
    private static func text(of value: StoredElement, _ content: Span<UInt8>) -> [UInt8]? {
        switch value {
        case .string: content.array
        case .data: Base64.encoded(content)
        case .date(let seconds): DateText.text(seconds, withFraction: true).map { Array($0.utf8) }
        default: nil
        }
    }
}

extension XMLReader {
    mutating func mayHoldDatesOrData() throws(StoreFailure) -> Bool { try window.fileContains(Array("<da".utf8)) }
}

extension BinaryReader {
    /// Looks at the mark of each object, wherever it is used.
    mutating func mayHoldDatesOrData() throws(StoreFailure) -> Bool {
        for number in 0..<objectCount {
            // What is wrong with the file is said by whoever reads its values.
            guard let marker = try marker(of: number) else { return true }
            if marker == 0x33 || marker >> 4 == 0x4 { return true }
        }
        return false
    }
}
