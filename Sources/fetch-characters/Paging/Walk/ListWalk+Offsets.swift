// Decides where a page of a list by offset begins, also of services that take no offset but multiples of their size.

/// What is known of the service's offsets.
enum Offsets: Sendable {
    /// Each page is asked for where the one before ends; so are pages without offsets.
    case plain
    /// Pages are to overlap, and none has shown yet that the service begins where it is asked to.
    case untried
    /// A page began where it was asked for.
    case overlapping
    /// Offsets have to be multiples of the size.
    case aligned

    var canOverlap: Bool { self == .untried || self == .overlapping }
}

extension ListWalk {
    /// Where the page after this one begins, and how it is asked for. Nil if nothing leads there.
    mutating func target(past page: PageFacts) -> PagePosition? {
        guard case .offset(let start) = position else {
            return pagination.position(pagesBefore: reading.pagesBefore + 1) ?? page.next
        }
        let isNamed = page.last != nil && page.listed == page.records
        if page.listed == 1 || page.listed > 0 && !isNamed, offsets.canOverlap { offsets = .plain }
        reading.step = .plain
        if offsets.canOverlap, page.listed > 1, let last = page.last {
            return overlappingTarget(from: start + page.listed - 1, last: last)
        }
        if offsets == .aligned { return .offset(start + max(page.listed, reading.longest)) }
        guard pagination.mayLeaveOut, let size, page.listed < size else { return .offset(start + page.listed) }
        // Either the service gives fewer than requested, or it has left some out. Ids tell which.
        let isProbe = page.listed > 0 && page.last != nil && !countsLeftOut
        if isProbe { reading.step = .probing }
        return .offset(start + (isProbe ? page.listed : size))
    }

    /// - Parameters:
    ///   - start: the place of the last record that came.
    ///   - last: its id.
    private mutating func overlappingTarget(from start: Int, last: UInt64) -> PagePosition {
        reading.step = .overlapping(last: last)
        guard let places, start + reading.longest > places, start + 1 < places else { return .offset(start) }
        let target = places - reading.longest
        reading.step = .reaching(known: start + 1 - target)
        return .offset(target)
    }

    /// The offset behind the last place that the service gives. Nil if it has no such limit.
    private var places: Int? {
        guard let last = pagination.lastPage, case .offset(_, let first) = pagination.kind, reading.longest > 0
        else { return nil }
        let (count, overflow) = last.multipliedReportingOverflow(by: reading.longest)
        return overflow ? nil : first + count
    }

    /// The service gives no page after the latest one.
    var isPastLastPage: Bool {
        guard let last = pagination.lastPage else { return false }
        guard let places, case .offset(let start) = position else { return reading.pagesBefore >= last }
        if case .reaching = reading.step { return false }
        return start + (offsets.canOverlap ? 1 : 0) >= places
    }

    /// Whether the page at `position` is the last that the service gives.
    var isAtLastPlace: Bool {
        guard let last = pagination.lastPage else { return false }
        guard let places, case .offset(let start) = position else { return reading.pagesBefore + 1 >= last }
        return start + reading.longest >= places
    }

    // MARK: Services that take no odd offset

    /// Whether the first page that was asked for from one record early is the page before, whole.
    func isRounded(_ page: PageFacts) -> Bool {
        guard case .overlapping = reading.step, offsets == .untried, page.outcome == .page else { return false }
        return page.listed > 1 && page.content == reading.latest?.content
    }

    /// Asks for another offset than the one that the service rounded or refused.
    mutating func askElsewhere() -> Verdict {
        guard case .overlapping = reading.step else { return jump() }
        offsets = .aligned
        reading.step = .plain
        if case .offset(let start) = position { reading.position = .offset(start + 1) }
        return .more
    }

    /// Whether a refusal of the page at `position` only says that the service takes no such offset.
    func refusesOffset(status: Int) -> Bool {
        guard (400..<500).contains(status), ![401, 403, 408, 429].contains(status), offsets != .overlapping else {
            return false
        }
        if case .overlapping = reading.step { return true }
        return isOdd && status != 404
    }

    var isOdd: Bool {
        if case .aligned = reading.step { return false }
        return offset.map { $0.past > 0 } ?? false
    }

    /// The offset, how far it is past a multiple of the size, and the size. Nil for other positions.
    private var offset: (start: Int, past: Int, size: Int)? {
        guard case .offset(let start) = position, case .offset(_, let first) = pagination.kind else { return nil }
        let size = max(1, size ?? reading.longest)
        return (start, (start - first) % size, size)
    }

    /// Asks for the next multiple of the size, where only the end of the list can be.
    mutating func jump() -> Verdict {
        guard let offset else { return .more }
        let target = offset.start + offset.size - offset.past
        reading.position = .offset(target)
        reading.step = .aligned(to: target)
        return .more
    }
}
