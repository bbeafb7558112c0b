// A few records, kept for a message about a path that none of them has: which members there are instead.

/// Keeps the first records of an input.
package struct RecordSample: Sendable {
    private static let mostRecords = 100
    private static let mostBytes = 65_536
    /// How many members a message names.
    private static let mostNames = 12
    /// The longest name in a message, in characters.
    private static let longestName = 40

    private static let question = "did you mean "

    /// Each record with an LF.
    private var lines: [UInt8] = []
    private var records = 0
    /// A record didn't fit: those after it aren't kept either, so that the sample is the beginning of the input.
    private var isFull = false

    package init() {}

    package var isEmpty: Bool { records == 0 }

    /// Whether more records are of use.
    package var hasRoom: Bool { !isFull && records < Self.mostRecords }

    /// Keeps the record, unless there are enough.
    package mutating func add(_ record: Span<UInt8>) {
        guard hasRoom else { return }
        guard lines.count + record.count < Self.mostBytes else {
            isFull = true
            return
        }
        records += 1
        lines.append(record)
        lines.append(0x0A)
    }

    /// Keeps records that come later in the input.
    package mutating func add(_ other: RecordSample) {
        var start = 0
        while hasRoom, let end = other.lines.span.firstIndex(of: 0x0A, from: start) {
            add(other.lines.span.extracting(start..<end))
            start = end + 1
        }
        isFull = isFull || other.isFull
    }

    /// What to write instead of a path, and what there is: `did you mean name? they have id, name`. Nil where the
    /// records have what the path names, and where none was kept.
    /// - Parameter isOne: whether there is only one record.
    package func advice(for path: JSONPath, isOne: Bool = false) -> String? {
        let trees = trees
        guard !trees.isEmpty else { return nil }
        let level = Level(path.memberNames ?? [], in: trees)
        guard let missing = level.missing else { return path.memberNames == nil ? have(level, isOne) : nil }
        let shown = have(level, isOne)
        guard let meant = level.nearest(to: missing) else { return shown }
        return "\(Self.question)\((level.passed + [meant] + level.rest).joined(separator: "."))? \(shown)"
    }

    /// The same for paths of which one would do: a name that is near to any of theirs.
    package func advice(forAny paths: [JSONPath], isOne: Bool = false) -> String? {
        let advice = paths.map { self.advice(for: $0, isOne: isOne) }
        guard !advice.contains(nil) else { return nil }
        return advice.compactMap { $0 }.first { $0.hasPrefix(Self.question) } ?? advice.first ?? nil
    }

    private func have(_ level: Level, _ isOne: Bool) -> String {
        let subject =
            level.passed.isEmpty ? isOne ? "it has" : "they have" : level.passed.joined(separator: ".") + " has"
        guard !level.members.isEmpty else { return "\(subject) no members" }
        let names = level.members.filter { $0.count <= Self.longestName }.prefix(Self.mostNames)
        return "\(subject) " + (names + (names.count < level.members.count ? ["…"] : [])).joined(separator: ", ")
    }

    private var trees: [JSONTree] {
        var trees: [JSONTree] = []
        var start = 0
        while let end = lines.span.firstIndex(of: 0x0A, from: start) {
            do throws(JSONError) { trees.append(try JSONTree.read(lines.span.extracting(start..<end))) } catch {}
            start = end + 1
        }
        return trees
    }

    /// The depth at which a path stops finding members.
    private struct Level {
        /// The names that the records have.
        private(set) var passed: [String] = []
        /// The first name that no record has; nil if they have them all.
        private(set) var missing: String?
        private(set) var rest: [String] = []
        /// The names of all members beside it, in the order in which they come.
        private(set) var members: [String] = []

        init(_ names: [String], in trees: [JSONTree]) {
            var objects = trees
            for (index, name) in names.enumerated() {
                members = Self.members(of: objects)
                guard members.contains(name) else {
                    missing = name
                    rest = Array(names[(index + 1)...])
                    return
                }
                let values = objects.compactMap { $0[name] }
                // What isn't an object has no members: the path ends here as well as if the name weren't there.
                guard index + 1 == names.count || !Self.members(of: values).isEmpty else { return }
                passed.append(name)
                objects = values
            }
            if names.isEmpty { members = Self.members(of: objects) }
        }

        private static func members(of objects: [JSONTree]) -> [String] {
            var names: [String] = []
            var known: Set<String> = []
            for case .object(let members) in objects {
                for member in members where known.insert(member.name).inserted { names.append(member.name) }
            }
            return names
        }

        func nearest(to name: String) -> String? {
            let short = members.filter { $0.count <= RecordSample.longestName }
            if let same = short.first(where: { $0.lowercased() == name.lowercased() }) { return same }
            // Any two names of one or two characters are near to each other.
            guard name.count > 2 else { return nil }
            return name.count <= RecordSample.longestName ? EditDistance.nearest(to: name, among: short) : nil
        }
    }
}
