// Which fault a request meets: the first whose conditions hold takes it, and each counts what reaches it.

import Synchronization

/// When a fault applies.
struct FaultCondition: Sendable {
    var path: String?
    var query: String?
    var missingHeader: String?
    var page: Int?
    var every: Int?
    var times: Int?

    /// Whether the request is of the kind that the fault counts.
    /// - Parameter page: of the list that it asks for.
    func holds(for request: Request, page asked: Int?) -> Bool {
        if let path, !request.path.hasPrefix(path) { return false }
        if let query, !request.rawQuery.contains(query) { return false }
        if let missingHeader, request.header(missingHeader) != nil { return false }
        if let page, asked != page { return false }
        return true
    }
}

/// All the faults of a run with their counts, shared by the connections.
final class FaultTable: Sendable {
    private struct Count {
        var matched = 0
        var fired = 0
    }

    private let faults: [Fault]
    private let counts: Mutex<[Count]>

    init(_ faults: [Fault]) {
        self.faults = faults
        counts = Mutex(Array(repeating: Count(), count: faults.count))
    }

    /// The fault that takes this request, which counts as one for it.
    /// - Parameter page: of the list that it asks for.
    func fault(for request: Request, page: Int?) -> Fault? {
        guard !faults.isEmpty else { return nil }
        return counts.withLock { counts in
            for (index, fault) in faults.enumerated() where fault.condition.holds(for: request, page: page) {
                guard counts[index].fired < fault.condition.times ?? .max else { continue }
                counts[index].matched += 1
                guard counts[index].matched.isMultiple(of: fault.condition.every ?? 1) else { continue }
                counts[index].fired += 1
                return fault.met(by: counts[index].fired - 1)
            }
            return nil
        }
    }
}
