// Notices paths that find nothing in any record, which most often are misspelt. They are looked for in each record that
// is read, and of the lines that are passed over unread in the first ones.

package struct UnmatchedPaths: Sendable {
    fileprivate struct Finding {
        /// The kinds of values that are of use.
        let wanted: Set<JSONNode.Kind>
        /// All kinds of values that the path found.
        var kinds: Set<JSONNode.Kind> = []
        /// The records in which it found any.
        var records = 0

        var isFound: Bool { !kinds.isDisjoint(with: wanted) }
    }

    package struct Findings: Sendable {
        fileprivate var paths: [Finding] = []
        fileprivate var records = 0
        /// Whether there are others.
        fileprivate var isPartial = false
        fileprivate var sample = RecordSample()

        package init() {}

        package mutating func add(_ other: Findings) {
            if paths.isEmpty { paths = other.paths.map { Finding(wanted: $0.wanted) } }
            for index in paths.indices where index < other.paths.count {
                paths[index].kinds.formUnion(other.paths[index].kinds)
                paths[index].records += other.paths[index].records
            }
            records += other.records
            isPartial = isPartial || other.isPartial
            sample.add(other.sample)
        }
    }

    private var evaluators: [JSONPathEvaluator]
    private var found = Findings()
    /// Whether records are kept for the message.
    package var isSampling = true
    package private(set) var isWatching: Bool

    /// - Parameter paths: with the kinds of values that they should find; one value of any of them is enough.
    package init(_ paths: [(path: JSONPath, wanted: Set<JSONNode.Kind>)]) {
        evaluators = paths.map { JSONPathEvaluator($0.path) }
        found.paths = paths.map { Finding(wanted: $0.wanted) }
        isWatching = !paths.isEmpty
    }

    /// Returns what is known of the records since the last call.
    package mutating func take() -> Findings {
        defer {
            found.records = 0
            found.isPartial = false
            found.sample = RecordSample()
            for index in found.paths.indices { found.paths[index].records = 0 }
        }
        return found
    }

    /// - Parameter record: a search may have read only its beginning. While few are known, one that is broken further on
    ///   counts for none.
    package mutating func look(_ record: Span<UInt8>) {
        guard isWatching, !isSampling || !found.sample.hasRoom || Self.isRecord(record) else { return }
        found.records += 1
        for index in evaluators.indices where !found.paths[index].isFound {
            do throws(JSONError) { try evaluators[index].evaluate(record, isChecked: true) } catch { continue }
            let kinds = evaluators[index].nodes.map(\.kind)
            if !kinds.isEmpty { found.paths[index].records += 1 }
            found.paths[index].kinds.formUnion(kinds)
        }
        if isSampling { found.sample.add(record) }
        isWatching = found.paths.contains { !$0.isFound }
    }

    /// Looks at records that are passed over unread, as long as the message has room for more.
    /// - Parameter lines: whole lines with their LF.
    package mutating func look(passedOver lines: Span<UInt8>) {
        var reader = FieldReader(lines)
        while isWatching, isSampling, found.sample.hasRoom, let line = reader.line() {
            look(lines.extracting(line))
        }
        if isWatching, !reader.isAtEnd { found.isPartial = true }
    }

    private static func isRecord(_ line: Span<UInt8>) -> Bool {
        var reader = JSONReader(line)
        guard (try? reader.beginRecord()) != nil else { return false }
        return (try? reader.skipToEnd()) != nil
    }
}

extension UnmatchedPaths.Findings {
    /// What is said of a path that found nothing of use. Nil for one that did, and where nothing was read.
    /// - Parameters:
    ///   - origin: what names the path, such as `, which --date names`.
    ///   - remedy: what to write where all values are of another kind.
    package func message(
        _ index: Int, _ path: JSONPath, origin: String = "", remedy: (JSONNode.Kind) -> String? = { _ in nil }
    ) -> Message? {
        let finding = paths[index]
        guard !finding.isFound, records > 0 else { return nil }
        guard finding.records > 0 else {
            var fault = "the one record lacks \(path.text)"
            if records > 1 {
                let scope = isPartial ? "the records checked" : "\(records.grouped) records"
                fault = "none of \(scope) has \(path.text)"
            }
            return Message(fault + origin, cure: sample.advice(for: [path], isOne: records == 1))
        }
        let kinds = finding.kinds.subtracting([.null])
        guard kinds.count <= 1 else { return nil }
        let kind = kinds.first ?? .null
        let place =
            if isPartial {
                "in all records checked"
            } else if finding.records == 1 {
                records == 1 ? "in the one record" : "in the one record that has it"
            } else {
                "in all \(finding.records.grouped) records" + (finding.records == records ? "" : " that have it")
            }
        return Message("\(path.text) is \(kind.noun) \(place)", cure: remedy(kind))
    }
}

extension Set<JSONNode.Kind> {
    package static let anything: Set = [.object, .array, .string, .number, .boolean, .null]
    /// A string, or an array or object that may hold some.
    package static let texts: Set = [.string, .array, .object]
}

extension JSONNode.Kind {
    fileprivate var noun: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}

extension Int {
    /// In decimal, with a comma between thousands, in every locale.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}

/// A few records, kept for a message about a path that none of them has: which members there are instead.
package struct RecordSample: Sendable {
    private static let mostRecords = 100
    private static let mostBytes = 65_536
    /// How many members a message names.
    private static let mostNames = 12
    /// The longest name in a message, in characters.
    private static let longestName = 40

    /// Each record with an LF.
    private var lines: [UInt8] = []
    private var records = 0
    /// A record didn't fit: those after it aren't kept either, so that the sample is the beginning of the input.
    private var isFull = false

    package init() {}

    package var isEmpty: Bool { records == 0 }

    package var hasRoom: Bool { !isFull && records < Self.mostRecords }

    package mutating func add(_ record: Span<UInt8>) {
        guard hasRoom else { return }
        guard lines.count + record.count < Self.mostBytes else { return isFull = true }
        records += 1
        lines.append(record)
        lines.append(0x0A)
    }

    package mutating func add(_ other: RecordSample) {
        var reader = FieldReader(other.lines.span)
        while hasRoom, let line = reader.line() { add(other.lines.span.extracting(line)) }
        isFull = isFull || other.isFull
    }

    /// What to write instead of a path, and what there is: `did you mean name? they have id, name`. Nil where the
    /// records have a text there, and where none was kept. Of several paths any one would do: the most useful advice is
    /// about one that finds something other than a text, then about one whose name is near to a member's.
    /// - Parameter isOne: whether there is only one record.
    package func advice(for paths: [JSONPath], isOne: Bool) -> String? {
        let advice = paths.map { ranked($0, isOne) }
        guard !advice.contains(where: { $0 == nil }) else { return nil }
        return advice.compactMap { $0 }.min { $0.rank < $1.rank }?.text
    }

    private func ranked(_ path: JSONPath, _ isOne: Bool) -> (rank: Int, text: String)? {
        var values = trees
        guard !values.isEmpty else { return nil }
        guard let names = path.memberNames else { return (2, Self.have(Self.members(of: values), [], isOne)) }
        var passed: [String] = []
        for (index, name) in names.enumerated() {
            let members = Self.members(of: values)
            guard members.contains(name) else {
                if isOne, passed.isEmpty, let list = Self.list(in: values) { return (0, list) }
                let shown = Self.have(members, passed, isOne)
                guard let meant = Self.nearest(to: name, among: members) else { return (2, shown) }
                let rest = names[(index + 1)...]
                let isList = values.contains { if case .array? = $0[meant] { true } else { false } }
                let step = isList && !rest.isEmpty ? meant + "[*]" : meant
                let path = (passed + [step] + rest).joined(separator: ".")
                return (1, "did you mean \(path)? \(shown)")
            }
            values = values.compactMap { $0[name] }
            passed.append(name)
            let isLast = index + 1 == names.count
            if isLast || Self.members(of: values).isEmpty {
                return Self.clause(passed.joined(separator: "."), values, isLast: isLast).map { (0, $0) }
            }
        }
        return nil
    }

    /// Which members there are at the end of a path.
    private static func have(_ members: [String], _ path: [String], _ isOne: Bool) -> String {
        let all = isOne ? "it has" : "they have"
        let subject = path.isEmpty ? all : path.joined(separator: ".") + " has"
        guard !members.isEmpty else { return "\(subject) no members" }
        let names = members.filter { $0.count <= longestName }.prefix(mostNames)
        return "\(subject) " + (names + (names.count < members.count ? ["…"] : [])).joined(separator: ", ")
    }

    /// Where the only record has the records in an array, as a page of an API does.
    private static func list(in values: [JSONTree]) -> String? {
        guard case .object(let members)? = values.first, values[0]["id"] == nil else { return nil }
        for case (let name, .array(let elements)) in members where elements.count > 1 {
            let areObjects = elements.allSatisfy { if case .object = $0 { true } else { false } }
            guard areObjects, !name.contains("\""), !name.contains("\\"),
                let command = InputKind.wrapper([name]).words("").command
            else { continue }
            return "\(name) has \(elements.count) records, which \(command) prints as lines"
        }
        return nil
    }

    /// What a path leads to; nil for a text at its end.
    private static func clause(_ path: String, _ values: [JSONTree], isLast: Bool) -> String? {
        for value in values {
            switch value {
            case .array: return "\(path) is an array; \(path)[*] names its elements"
            case .object where isLast:
                return "\(path) has " + members(of: values).prefix(mostNames).joined(separator: ", ")
            case .string where !isLast: return "\(path) is a string"
            default: break
            }
        }
        return nil
    }

    /// The names of all members, in the order in which they come.
    private static func members(of objects: [JSONTree]) -> [String] {
        var names: [String] = []
        var known: Set<String> = []
        for case .object(let members) in objects {
            for member in members where known.insert(member.name).inserted { names.append(member.name) }
        }
        return names
    }

    private static func nearest(to name: String, among members: [String]) -> String? {
        let short = members.filter { $0.count <= longestName }
        if let same = short.first(where: { $0.lowercased() == name.lowercased() }) { return same }
        // Any two names of one or two characters are near to each other.
        return (3...longestName).contains(name.count) ? EditDistance.nearest(to: name, among: short) : nil
    }

    private var trees: [JSONTree] {
        var trees: [JSONTree] = []
        var reader = FieldReader(lines.span)
        while let line = reader.line() {
            do throws(JSONError) { trees.append(try JSONTree.read(lines.span.extracting(line))) } catch {}
        }
        return trees
    }
}
