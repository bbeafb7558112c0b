// Where the pages of a reading come from: the service, or the cache with what an earlier reading has left there.
//
// The cache knows each page's readings by name, so that pages of two of them never make one list: a run that reads a list
// twice and fails on the way has left pages of both.

import PipelineCore

enum ReadingOrigin: Equatable {
    /// Each page is asked of the service, and kept as part of the reading of this name.
    case service(String)
    /// All pages are those of this earlier reading.
    case cache(String)

    /// A new reading.
    static func asked() -> ReadingOrigin { .service(String(UInt64.random(in: 0 ... .max), radix: 16)) }

    /// As the state of a run has it: `{"service":"51a7…"}`.
    var json: String {
        switch self {
        case .service(let name): JSONTree.object([("service", .string(name))]).json
        case .cache(let name): JSONTree.object([("cache", .string(name))]).json
        }
    }

    init?(saved tree: JSONTree?) {
        if let name = tree?["service"]?.string {
            self = .service(name)
        } else if let name = tree?["cache"]?.string {
            self = .cache(name)
        } else {
            return nil
        }
    }

    var isCache: Bool { if case .cache = self { true } else { false } }
}
