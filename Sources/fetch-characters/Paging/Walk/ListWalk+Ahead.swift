// Decides which pages a walk can request before it has read those before them.

extension ListWalk {
    /// Nil if only the page before it leads there.
    func position(afterFull pages: Int) -> PagePosition? {
        guard case .offset(_, let first) = pagination.kind else {
            return pagination.position(pagesBefore: pages)
        }
        return size.map { .offset(first + pages * (offsets.canOverlap ? $0 - 1 : $0)) }
    }

    /// The position to check before the list ends with this page, nil if nothing casts doubt on it: an empty page after a
    /// full one may be a fault, and after one with only the record that it repeats, the service may have left others out.
    func check(after page: PageFacts) -> PagePosition? {
        let isCounted =
            pagination.count != nil || hasSaidWhetherMore || pagination.more != nil || !pagination.done.isEmpty
        guard !isCounted, !isPastLastPage, !isAtLastPlace else { return nil }
        let isEmpty = page.listed == 0 && reading.isFull(reading.latest?.listed ?? 0)
        guard isEmpty || isOverlapAlone(page) else { return nil }
        return pagination.position(
            pagesBefore: reading.pagesBefore + 1, offset: position.count + (size ?? reading.longest))
    }

    /// Whether a page has nothing but the record that it was asked for from.
    private func isOverlapAlone(_ page: PageFacts) -> Bool {
        guard case .overlapping(let last) = reading.step else { return false }
        return page.first == last && page.listed == 1
    }

    /// The positions after the page at `position`, in order, as far as this page determines them. They are guesses: if a
    /// page is shorter than this one, offsets shift.
    func ahead(of page: Page, limit: Int) -> [PagePosition] {
        let pages = min(limit, pagesAfter(page), pagination.lastPage.map { $0 - reading.pagesBefore - 1 } ?? limit)
        guard pages > 0 else { return [] }
        let start = position.count
        return (1...pages).compactMap { count in
            let (steps, overflow) = step(page).multipliedReportingOverflow(by: count)
            let target = pagination.position(
                pagesBefore: reading.pagesBefore + count, offset: overflow ? start : start + steps)
            return target == position ? nil : target
        }
    }

    /// How far the offsets of two pages like this one are apart.
    private func step(_ page: Page) -> Int {
        if offsets.canOverlap, page.listed > 1 { return page.listed - 1 }
        // A service that limits the size of pages limits that of the next ones too.
        return page.listed > 0 && !countsLeftOut ? page.listed : size ?? page.listed
    }

    /// How many pages follow this one, no limit if nothing shows that.
    private func pagesAfter(_ page: Page) -> Int {
        let isFull = reading.isFull(page.listed)
        let overlap = if case .overlapping = reading.step { 1 } else { 0 }
        if let hasMore = page.lead.hasMore ?? (hasSaidWhetherMore ? false : nil) {
            guard hasMore else { return 0 }
            return isFull ? .max : 1
        }
        switch (pagination.count?.unit, page.lead.count) {
        case (.pages, let pages?): return pages - reading.pagesBefore - 1
        case (.records, let total?):
            guard page.listed > 0 else { return 0 }
            let rest = max(0, total - reading.listed - page.listed + overlap)
            let step = max(1, step(page))
            return rest / step + (rest % step == 0 ? 0 : 1)
        default:
            if isFull { return .max }
            return page.listed <= overlap && !pagination.ends.contains(.notFound) ? 0 : 1
        }
    }
}
