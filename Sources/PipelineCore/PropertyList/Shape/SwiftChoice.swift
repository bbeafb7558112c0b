// A Swift enumeration for values that may be of several kinds: `year` is 1940 in one record and "1940?" in another.

/// Writes enumerations.
enum SwiftChoice {
    /// The lines of an enumeration.
    /// - Parameters:
    ///   - kinds: two or more, in the order in which to try them.
    ///   - enclosing: the types that it is declared in.
    ///   - path: of its values in a record.
    static func lines(
        _ name: String, _ shape: Shape, _ kinds: [SwiftKind], enclosing: Set<String>, path: String
    ) throws(StoreReadError) -> [String] {
        var scope = SwiftScope(enclosing: enclosing.union([name]))
        var cases: [(name: String, type: String)] = []
        for kind in kinds {
            let type = try scope.type(kind, of: shape, kind == .list ? "elements" : kind.rawValue, path: path)
            cases.append((kind.rawValue, type))
        }
        return ["enum \(name): Codable, Sendable {"] + cases.map { "    case \($0.name)(\($0.type))" }
            + ["", "    init(from decoder: any Decoder) throws {"] + decoding(cases)
            + ["    }", "", "    func encode(to encoder: any Encoder) throws {"] + encoding(cases) + ["    }"]
            + scope.lines + ["}"]
    }

    /// Tries one type after the other; the last one says what is wrong with a value that is of none.
    private static func decoding(_ cases: [(name: String, type: String)]) -> [String] {
        var lines = ["        let container = try decoder.singleValueContainer()"]
        for (index, (name, type)) in cases.enumerated() {
            let isFirst = index == 0
            if index == cases.count - 1 {
                lines += [
                    "        } else {", "            self = .\(name)(try container.decode(\(type).self))",
                    "        }",
                ]
            } else {
                lines += [
                    "        \(isFirst ? "" : "} else ")if let value = try? container.decode(\(type).self) {",
                    "            self = .\(name)(value)",
                ]
            }
        }
        return lines
    }

    private static func encoding(_ cases: [(name: String, type: String)]) -> [String] {
        ["        var container = encoder.singleValueContainer()", "        switch self {"]
            + cases.map { "        case .\($0.name)(let value): try container.encode(value)" } + ["        }"]
    }
}
