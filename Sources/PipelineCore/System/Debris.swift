// Names of temporary files, and the removal of those that a killed run has left.
//
//     characters.plist  ->  .characters.plist.castline-1f0c9a77e2b4d853

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The temporary files beside a file.
enum Debris {
    /// A file that nobody holds and that was written to before so long isn't in the making.
    static let abandonedSeconds = 60.0
    /// Hexadecimal digits behind the mark.
    private static let randomDigits = 16

    /// A new name beside the file, which nobody can guess.
    static func newName(for name: String) -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return prefix(for: name) + String(repeating: "0", count: randomDigits - digits.count) + digits
    }

    /// File names have at most 255 bytes, so a long one is cut.
    private static func prefix(for name: String) -> String {
        let cut = String(decoding: Array(name.utf8).prefix(200), as: UTF8.self)
        return ".\(cut).castline-"
    }

    static func isTemporary(_ candidate: String, for name: String) -> Bool {
        let prefix = prefix(for: name)
        guard candidate.hasPrefix(prefix) else { return false }
        let digits = candidate.utf8.dropFirst(prefix.utf8.count)
        return digits.count == randomDigits && digits.allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension FilePlace {
    /// Removes the temporary files that killed runs have left for this file. Only who holds its lock may do so: another
    /// run's file in the making looks the same.
    package func removeDebris(under lock: borrowing FileLock) {
        for entry in entries() where Debris.isTemporary(entry, for: name) { remove(entry) }
    }

    /// Removes the temporary files that killed runs have left for this file, where it has no lock: whoever makes one
    /// holds it locked and writes to it.
    package func removeAbandoned() {
        let latest = WallClock.epochSeconds - Debris.abandonedSeconds
        for entry in entries() where Debris.isTemporary(entry, for: name) {
            let number = unsafe openat(directory, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else { continue }
            var status = stat()
            if unsafe fstat(number, &status) == 0, Double(Status(status).modifiedSeconds) < latest,
                flock(number, LOCK_EX | LOCK_NB) == 0
            {
                remove(entry)
            }
            _ = close(number)
        }
    }

    /// The names in the directory; none where it can't be read.
    private func entries() -> [String] {
        let number = unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return number >= 0 ? Directory.names(takingOver: number) : []
    }
}
