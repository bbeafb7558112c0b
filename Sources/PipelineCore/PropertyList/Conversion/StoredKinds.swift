// What the old store knows of its values and JSON doesn't: which of them are dates, and which are data.
//
//     <key>photo</key><data>…</data>  <key>seen</key><array><date>…</date></array>      photo: data    seen[*]: date
//
// A path that has only dates or data in the old store keeps them: a new value that can't be one is refused. Where the
// old store has texts at the path too, each value keeps its kind by its text. One text may even be both, as the empty
// one often is; then the whole record decides, as `--load` prints it.

package struct StoredKinds: Sendable {
    struct Kinds: OptionSet, Hashable {
        let rawValue: UInt8
        static let date = Kinds(rawValue: 1)
        static let data = Kinds(rawValue: 2)
        static let text = Kinds(rawValue: 4)
        static let other = Kinds(rawValue: 8)
        /// What JSON can't tell from a text.
        static let typed: Kinds = [.date, .data]

        /// Whether a text there may be any of several kinds.
        var areMixed: Bool { contains(.text) }
    }

    /// A step of the paths: a member of that name, or all elements of an array.
    private struct Node {
        /// More names than this are found by their hashes.
        static let scanLimit = 8

        var kinds: Kinds = []
        var names: [[UInt8]] = []
        var members: [Int] = []
        var numbers: [[UInt8]: Int] = [:]
        /// 0 for none, as no path leads back to the root.
        var elements = 0
    }

    static let root = 0
    private static let hash = PolynomialHash()

    private var nodes = [Node()]
    /// The texts at mixed paths, and the kinds that each has there.
    private var texts = HashIndex()
    private var textKinds = SegmentedArray<Kinds>()
    private(set) var hasAmbiguousTexts = false
    /// For each record with a text that is of two kinds at one path: the kinds of such texts in their order. Records that
    /// read alike come in the order of the store.
    private var records: [WideHash: [[Kinds]]] = [:]

    init() {}

    var isEmpty: Bool { nodes.count == 1 }
    var hasMixedPaths: Bool { nodes.contains { $0.kinds.areMixed } }

    func kinds(at node: Int) -> Kinds { nodes[node].kinds }

    // MARK: Paths

    func member(_ name: Span<UInt8>, of node: Int) -> Int? {
        guard nodes[node].names.count <= Node.scanLimit else { return nodes[node].numbers[name.array] }
        for (index, known) in nodes[node].names.enumerated() where known.span.equals(name) {
            return nodes[node].members[index]
        }
        return nil
    }

    func elements(of node: Int) -> Int? { nodes[node].elements == 0 ? nil : nodes[node].elements }

    mutating func addMember(_ name: Span<UInt8>, of node: Int) -> Int {
        if let known = member(name, of: node) { return known }
        let text = name.array
        let number = nodes.count
        nodes.append(Node())
        nodes[node].names.append(text)
        nodes[node].members.append(number)
        if nodes[node].names.count == Node.scanLimit + 1 {
            for (name, member) in zip(nodes[node].names, nodes[node].members) { nodes[node].numbers[name] = member }
        } else if nodes[node].names.count > Node.scanLimit {
            nodes[node].numbers[text] = number
        }
        return number
    }

    mutating func addElements(of node: Int) -> Int {
        if let known = elements(of: node) { return known }
        nodes.append(Node())
        nodes[node].elements = nodes.count - 1
        return nodes.count - 1
    }

    mutating func add(_ kind: Kinds, at node: Int) { nodes[node].kinds.formUnion(kind) }

    // MARK: Texts at mixed paths

    mutating func add(_ kind: Kinds, _ text: Span<UInt8>, at node: Int) {
        let (number, isNew) = texts.insert(Self.hash(of: text, at: node))
        guard !isNew else { return textKinds.append(kind) }
        textKinds[number].formUnion(kind)
        if Self.isAmbiguous(textKinds[number]) { hasAmbiguousTexts = true }
    }

    /// - Returns: the kinds that the text has there in the old store; none for a new one.
    func kinds(of text: Span<UInt8>, at node: Int) -> Kinds {
        texts.find(Self.hash(of: text, at: node), guess: 0).map { textKinds[$0] } ?? []
    }

    /// Whether a text was a text in one record, and something else in another.
    static func isAmbiguous(_ kinds: Kinds) -> Bool { kinds.contains(.text) && kinds != .text }

    private static func hash(of text: Span<UInt8>, at node: Int) -> WideHash {
        var sum = WideHash(first: UInt64(node), second: UInt64(node))
        hash.extend(&sum, by: text)
        return sum
    }

    // MARK: Records with such texts

    mutating func add(record line: Span<UInt8>, _ kinds: [Kinds]) {
        records[Self.hash.hash(line), default: []].append(kinds)
    }

    static func hash(of line: Span<UInt8>) -> WideHash { hash.hash(line) }

    /// The kinds of the ambiguous texts in the records that read like this one, in the order of the store.
    func records(_ line: WideHash) -> [[Kinds]]? { records[line] }
}
