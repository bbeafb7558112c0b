// The table of notes for several threads.

import PipelineCore
import Synchronization

/// Entries without bodies, by key.
final class MetadataStore: Sendable {
    private let table: Mutex<MetadataTable>

    /// Opens the table; it is made where it is missing.
    init(_ path: String) throws(SystemError) { table = Mutex(try MetadataTable(path)) }

    /// The content of an entry, nil where there is none.
    /// - Parameter now: seconds since 1970.
    func content(_ key: CacheKey, now: Double) -> [UInt8]? { table.withLock { $0.content(key, now: now) } }

    /// Keeps an entry in place of an older one.
    func keep(_ key: CacheKey, _ content: [UInt8], now: Double) throws(SystemError) {
        try table.withLock { (table) throws(SystemError) in try table.keep(key, content, now: now) }
    }

    /// Removes an entry, if it is there.
    func forget(_ key: CacheKey) { table.withLock { $0.forget(key) } }

    /// Removes entries that weren't used for so long.
    /// - Returns: whether any entry is left, or that can't be told.
    func removeUnused(days: Int, now: Double) -> Bool {
        do throws(SystemError) {
            return try table.withLock { (table) throws(SystemError) in
                try table.removeUnused(days: days, now: now)
            }
        } catch {
            return true
        }
    }
}
