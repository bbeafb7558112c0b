// Walks over lists that keep still, that change, and that lie.

import PipelineHTTP
import TestSupport
import Testing

struct CompletenessCheckTests {
    /// Walks over a list that `state` gives for each request in turn, and returns the verdict and the ids that came.
    func walk(
        size: Int = 3, requestLimit: Int = 40, counts: Pagination.Unit? = .pages, _ state: (Int) -> [Int]
    ) -> (verdict: CompletenessCheck.Verdict, ids: Set<Int>, requests: Int, expected: Int?) {
        var ledger = CompletenessCheck(size: size)
        var ids: Set<Int> = []
        var idsOfPass: Set<Int> = []
        var number = 1
        for request in 1...requestLimit {
            let list = state(request)
            let page = Array(list.dropFirst((number - 1) * size).prefix(size))
            let total = (list.count + size - 1) / size
            if number == 1 { idsOfPass = [] }
            let unseen = page.count { ids.insert($0).inserted }
            let distinct = page.count { idsOfPass.insert($0).inserted }
            var entry = CompletenessCheck.Entry(
                number: number, count: page.count, unseen: unseen, distinct: distinct,
                digest: UInt64(bitPattern: Int64(page.hashValue)))
            entry.repeats = page.count - Set(page).count
            if counts == .pages { entry.pages = total }
            if counts == .records { entry.total = list.count }
            switch ledger.enter(entry) {
            case .more: number += 1
            case .again: number = 1
            case let verdict: return (verdict, ids, request, ledger.expected)
            }
        }
        return (.more, ids, requestLimit, ledger.expected)
    }

    func entry(_ number: Int, _ count: Int, pages: Int, digest: UInt64) -> CompletenessCheck.Entry {
        CompletenessCheck.Entry(
            number: number, count: count, unseen: count, distinct: count, pages: pages, digest: digest)
    }

    @Test(arguments: [0, 1, 2, Int.max - 1, Int.max], [Pagination.Unit.pages, .records])
    func `a count of any size is counted with`(count: Int, unit: Pagination.Unit) {
        for size in [nil, 1, 10_000] {
            var ledger = CompletenessCheck(size: size)
            for number in 1...3 {
                var entry = CompletenessCheck.Entry(
                    number: number, count: number - 1, unseen: 0, distinct: 0, digest: UInt64(number))
                if unit == .pages { entry.pages = count } else { entry.total = count }
                entry.endsList = number == 3
                _ = ledger.enter(entry)
            }
        }
    }

    @Test(arguments: 0...13) func `a list that keeps still is complete after its pages`(count: Int) {
        let walk = walk { _ in Array(0..<count) }
        #expect(walk.verdict == .complete)
        #expect(walk.ids.count == count && walk.expected == count)
        #expect(walk.requests == max(1, (count + 2) / 3))
    }

    @Test(arguments: 2...4) func `a record put in front is found at the second reading`(request: Int) {
        let walk = walk { $0 < request ? Array(0..<10) : [99] + Array(0..<10) }
        #expect(walk.verdict == .complete)
        #expect(walk.ids == Set(Array(0..<10) + [99]))
    }

    @Test func `a list that becomes shorter is read again`() {
        // With 0 gone, 3 slips from page 2 to page 1 unseen; the last page shows that there is one page less.
        let walk = walk { $0 < 2 ? Array(0..<10) : Array(1..<10) }
        #expect(walk.verdict == .complete)
        #expect(walk.ids == Set(0..<10))
    }

    @Test func `a list that never keeps still is not complete`() {
        let walk = walk { request in Array(0..<12).map { $0 + 100 - request } }
        guard case .incomplete(let finding, _) = walk.verdict else {
            Issue.record("\(walk.verdict)")
            return
        }
        #expect(finding.hasPrefix("got "))
    }

    @Test(arguments: [Pagination.Unit.pages, .records, nil])
    func `a still list that names a record twice on a page is complete after two readings`(
        counts: Pagination.Unit?
    ) {
        let walk = walk(counts: counts) { _ in [0, 1, 1, 2, 3, 4, 5] }
        #expect(walk.verdict == .complete && walk.requests == 6)
    }

    @Test(arguments: [Pagination.Unit.pages, .records])
    func `pages that overlap each time leave out the records between them`(counts: Pagination.Unit) {
        let walk = walk(counts: counts) { _ in [0, 1, 2, 2, 3, 4] }
        #expect(walk.verdict == .incomplete("got 5 of 6") && walk.requests == 4 && walk.expected == 6)
        let both = self.walk(counts: counts) { _ in [0, 0, 2, 2, 3, 4] }
        #expect(both.verdict == .incomplete("got 4 of 6"))
    }

    @Test func `pages that overlap each time are whole where nobody says how many records there are`() {
        let walk = walk(counts: nil) { _ in [0, 1, 2, 2, 3, 4, 5] }
        #expect(walk.verdict == .complete && walk.requests == 6 && walk.expected == 6)
    }

    @Test func `a page before the last that isn't full leaves the list incomplete`() {
        var ledger = CompletenessCheck(size: 50)
        #expect(ledger.enter(entry(1, 50, pages: 3, digest: 1)) == .more)
        #expect(ledger.enter(entry(2, 30, pages: 3, digest: 2)) == .more)
        #expect(
            ledger.enter(entry(3, 7, pages: 3, digest: 3))
                == .incomplete("got 87 of 107"))
        #expect(ledger.expected == 107)
    }

    @Test func `pages that all are smaller than asked for are named, with the cure`() {
        var ledger = CompletenessCheck(size: 10)
        for number in 1...4 { #expect(ledger.enter(entry(number, 5, pages: 5, digest: UInt64(number))) == .more) }
        #expect(
            ledger.enter(entry(5, 5, pages: 5, digest: 5))
                == .incomplete("got 25 of 45, pages of 5 where 10 were requested (--page-size 5 may be the most)"))
    }

    @Test func `a count that would cut the list short is a contradiction`() {
        for total in [0, 2] {
            var ledger = CompletenessCheck(size: 3)
            var page = CompletenessCheck.Entry(number: 1, count: 3, unseen: 3, distinct: 3, total: total, digest: 1)
            #expect(ledger.enter(page) == .incomplete("it says there are \(total) records, and sends 3"))
            // A count that lags after cuts nothing short where the page isn't full.
            ledger = CompletenessCheck(size: 4)
            #expect(ledger.enter(page) == .complete)
            // Some services count no further than they like to, and say themselves which page is the last.
            page.endsList = true
            ledger = CompletenessCheck(size: 3)
            #expect(ledger.enter(page) == .complete)
        }
    }

    @Test(arguments: [5, 6, 7]) func `a total that falls below what came is read again where the last page is full`(
        total: Int
    ) {
        var ledger = CompletenessCheck(size: 3)
        let page = { (number: Int, count: Int, total: Int) in
            CompletenessCheck.Entry(
                number: number, count: count, unseen: 0, distinct: count, total: total, digest: UInt64(number))
        }
        #expect(ledger.enter(page(1, 3, 7)) == .more)
        let verdict = ledger.enter(page(2, 3, total))
        #expect(verdict == (total == 7 ? .more : .again))
        guard verdict == .again else { return }
        #expect(ledger.enter(page(1, 3, total)) == .more)
        #expect(ledger.enter(page(2, total - 3, total)) == .complete)
    }

    @Test func `pages without records don't follow on one another for ever`() {
        var ledger = CompletenessCheck(size: nil)
        for number in 1...3000 {
            let count = number % 1000 == 0 ? 1 : 0
            var page = CompletenessCheck.Entry(
                number: number, count: count, unseen: count, distinct: count, digest: UInt64(number))
            page.hasNext = true
            #expect(ledger.enter(page) == .more)
        }
        var verdict = CompletenessCheck.Verdict.more
        for number in 3001...4000 {
            var page = CompletenessCheck.Entry(
                number: number, count: 0, unseen: 0, distinct: 0, digest: UInt64(number))
            page.hasNext = true
            verdict = ledger.enter(page)
        }
        #expect(verdict == .incomplete("1000 pages in a row have no record; got 3"))
    }

    @Test func `999 pages without a record may follow on one another`() {
        var ledger = CompletenessCheck(size: nil)
        for number in 1...999 {
            var page = CompletenessCheck.Entry(number: number, count: 0, unseen: 0, distinct: 0, digest: 0)
            page.hasNext = true
            #expect(ledger.enter(page) == .more)
        }
        var last = CompletenessCheck.Entry(number: 1000, count: 1, unseen: 1, distinct: 1, digest: 1)
        last.endsList = true
        #expect(ledger.enter(last) == .complete)
    }

    @Test func `an empty page before the last ends the walk`() {
        var ledger = CompletenessCheck(size: 50)
        #expect(ledger.enter(entry(1, 50, pages: 149, digest: 1)) == .more)
        #expect(
            ledger.enter(entry(2, 0, pages: 149, digest: 2))
                == .incomplete("page 2 of 149 is empty; got 50 of at least 7400", isPageAtFault: true))
    }

    @Test func `an empty last page leaves the list incomplete`() {
        var ledger = CompletenessCheck(size: 50)
        #expect(
            ledger.enter(entry(1, 0, pages: 1, digest: 1))
                == .incomplete("got 0 of 1"))
    }

    @Test func `a page that repeats an earlier one ends the walk`() {
        var ledger = CompletenessCheck(size: 2)
        #expect(ledger.enter(entry(1, 2, pages: 9, digest: 1)) == .more)
        #expect(
            ledger.enter(CompletenessCheck.Entry(number: 2, count: 2, unseen: 0, distinct: 0, pages: 9, digest: 1))
                == .incomplete("page 2 repeats page 1; got 2", isPageAtFault: true))
    }

    @Test func `two pages of other records with the same ids are no repetition`() {
        var check = CompletenessCheck(size: 2)
        var page = entry(1, 2, pages: 2, digest: 1)
        page.content = 1
        #expect(check.enter(page) == .more)
        page = CompletenessCheck.Entry(number: 2, count: 2, unseen: 0, distinct: 0, pages: 2, digest: 1)
        page.content = 2
        // The records that it has in place of others are missing all the same.
        #expect(check.enter(page) == .again)
        page.number = 1
        page.distinct = 2
        page.content = 1
        #expect(check.enter(page) == .more)
        page.number = 2
        page.distinct = 0
        page.content = 2
        #expect(check.enter(page) == .incomplete("got 2 of 4"))
    }

    @Test func `a page that leads elsewhere than one with the same records is no repetition`() {
        var check = CompletenessCheck(size: nil)
        for number in 1...3 {
            var page = CompletenessCheck.Entry(number: number, count: 1, unseen: 1, distinct: 1, digest: 9)
            page.lead = UInt64(number)
            page.hasNext = true
            #expect(check.enter(page) == .more)
        }
        var page = CompletenessCheck.Entry(number: 4, count: 1, unseen: 1, distinct: 1, digest: 9)
        page.lead = 2
        page.hasNext = true
        #expect(check.enter(page) == .incomplete("page 4 repeats page 2; got 4", isPageAtFault: true))
    }

    @Test(arguments: [true, false])
    func `pages of the same records don't follow on one another for ever`(haveIDs: Bool) {
        // Records without ids are all new, whatever they are.
        var check = CompletenessCheck(size: nil)
        for number in 1...1001 {
            var page = CompletenessCheck.Entry(
                number: number, count: 2, unseen: haveIDs && number > 1 ? 0 : 2,
                distinct: haveIDs && number > 1 ? 0 : 2, digest: 9)
            page.content = haveIDs ? UInt64(number) : 9
            page.lead = UInt64(number)
            page.hasNext = true
            let verdict = check.enter(page)
            #expect(
                verdict
                    == (number < 1001
                        ? .more
                        : .incomplete("1000 pages in a row have no new record; got \(haveIDs ? 2 : 2002)")))
        }
    }

    @Test func `records without pages contradict each other`() {
        var ledger = CompletenessCheck(size: 2)
        guard case .incomplete = ledger.enter(entry(1, 2, pages: 0, digest: 1)) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func `no number of pages overflows`() {
        var ledger = CompletenessCheck(size: 10_000)
        #expect(
            ledger.enter(entry(1, 0, pages: .max, digest: 1))
                == .incomplete("page 1 of \(Int.max) is empty; got 0", isPageAtFault: true))
    }

    @Test(arguments: 0..<40) func `a list that changed before the last reading is read whole`(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let old = Array(0..<20).shuffled(using: &generator)
        let change = Int.random(in: 2...7, using: &generator)
        let new = Bool.random(using: &generator) ? [99] + old : Array(old.dropLast(3)) + [98, 97, 96, 95]
        let walk = walk { $0 < change ? old : new }
        if walk.verdict == .complete, walk.requests > change { #expect(walk.ids.isSuperset(of: Set(new))) }
    }
}
