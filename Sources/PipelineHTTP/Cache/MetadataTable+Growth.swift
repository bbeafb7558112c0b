// Operations on the whole table of notes: doubling it, and removing unused entries.

package import PipelineCore

extension MetadataTable {
    /// The number of pages read and written at a time.
    private static let blockPages = 64

    /// Doubles the table.
    /// - Returns: whether it is larger now, because of this process or another.
    mutating func grow() throws(SystemError) -> Bool {
        guard level < Self.lastLevel else { return false }
        var table = self
        let isLarger = try file.alone { () throws(SystemError) in
            let old = table.level
            table.readLevel()
            if table.level == old { try table.double() }
            return true
        }
        level = table.level
        return isLarger ?? false
    }

    private mutating func double() throws(SystemError) {
        let count = 1 << level
        level += 1
        try eachBlock(count) { (block, start) throws(SystemError) in
            // The lower pages are written too: their level notifies other processes.
            for start in [start + count, start] { try file.write(part(of: block, from: start), at: start + 1) }
        }
        var head = MetadataPage([])
        try write(&head, at: -1)
    }

    /// Pages with only those of their entries that belong there now.
    /// - Parameter start: the index of the first one.
    private func part(of block: [UInt8], from start: Int) -> [UInt8] {
        var part: [UInt8] = []
        part.reserveCapacity(block.count)
        for number in 0..<block.count / PageFile.pageBytes {
            var page = Self.page(number, of: block)
            page.drop { first, second, _ in index(first) != start + number && index(second) != start + number }
            page.level = level
            part += page.bytes
        }
        return part
    }

    /// Removes entries unused for more than this many days, or dated as far ahead. If none are left, the file can
    /// go.
    /// - Returns: whether any entry is left.
    package mutating func removeUnused(days: Int, now: Double) throws(SystemError) -> Bool {
        var isEmpty = true
        let today = Self.day(now)
        try eachBlock(1 << level) { (block, start) throws(SystemError) in
            for number in 0..<block.count / PageFile.pageBytes where !Signals.isRequested {
                var page = Self.page(number, of: block)
                let isChanged = page.drop { _, _, day in abs(today - day) > days }
                if !page.isEmpty { isEmpty = false }
                if isChanged { try file.write(page.bytes, at: start + number + 1) }
            }
        }
        return !isEmpty || Signals.isRequested
    }

    private func eachBlock(
        _ count: Int, _ body: (_ block: [UInt8], _ start: Int) throws(SystemError) -> Void
    ) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: min(count, Self.blockPages) * PageFile.pageBytes)
        for start in stride(from: 0, to: count, by: Self.blockPages) {
            file.read(&block, at: start + 1)
            try body(block, start)
        }
    }

    private static func page(_ number: Int, of block: [UInt8]) -> MetadataPage {
        MetadataPage(Array(block[number * PageFile.pageBytes..<(number + 1) * PageFile.pageBytes]))
    }
}
