// The table of notes, shared by several threads.

import PipelineCore
import Synchronization

/// Entries without bodies, by key.
final class MetadataStore: Sendable {
    private let table: Mutex<MetadataTable>

    /// Opens the table, and creates it if it is missing.
    init(_ path: String) throws(SystemError) { table = Mutex(try MetadataTable(path)) }

    /// The content of an entry, if there is one.
    /// - Parameter now: seconds since 1970.
    func content(_ key: CacheKey, now: Double) -> [UInt8]? { table.withLock { $0.content(key, now: now) } }

    /// Stores an entry, and replaces an older one.
    func keep(_ key: CacheKey, _ content: [UInt8], now: Double) throws(SystemError) {
        try table.withLock { (table) throws(SystemError) in try table.keep(key, content, now: now) }
    }

    /// Removes an entry, if there is one.
    func forget(_ key: CacheKey) { table.withLock { $0.forget(key) } }

    /// Removes entries unused for more than this many days.
    /// - Returns: whether any entry is left; true also if that is unknown.
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
