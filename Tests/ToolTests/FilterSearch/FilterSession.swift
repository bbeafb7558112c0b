// A run of filter-search over lines, for its suites.

import Testing

extension Session {
    static func filter(_ arguments: [String], _ lines: [String]) throws -> Session {
        try Session("filter-search", arguments, input: lines.map { $0 + "\n" }.joined().utf8)
    }
}
