// Which members of a record are dates or data, found while the record is read: for each open container, the paths that
// lead into it.

/// Follows the paths of `--date` and `--data` through a record.
struct TypedMembers {
    enum Kind {
        case date
        case data

        /// Why a value at such a path can't be stored.
        var reason: PropertyListFault.Reason { self == .date ? .notDate : .notData }
    }

    private let paths: [(path: MemberPath, kind: Kind)]
    /// For each open container the numbers of the paths whose names led here.
    private var levels: [[Int]] = []
    /// The paths that led to the member read last.
    private var current: [Int] = []

    /// Nil where there are no such paths.
    init?(_ rules: ValueRules) {
        paths = rules.dates.map { ($0, .date) } + rules.data.map { ($0, .data) }
        if paths.isEmpty { return nil }
    }

    mutating func beginRecord() { levels = [Array(paths.indices)] }

    /// Goes to a member of the innermost object.
    /// - Returns: what its value is to be; nil where no path ends here.
    mutating func kind(ofMember name: [UInt8]) -> Kind? {
        let level = levels.count - 1
        current = (levels.last ?? []).filter { paths[$0].path.names[level] == name }
        let end = current.first { paths[$0].path.names.count == level + 1 }
        return end.map { paths[$0].kind }
    }

    /// The container is the value of the member read last, or an element, into which no path leads.
    mutating func beginContainer(isObject: Bool) {
        let level = levels.count
        levels.append(isObject ? current.filter { paths[$0].path.names.count > level } : [])
        current = []
    }

    mutating func endContainer() {
        levels.removeLast()
        current = []
    }
}
