// Names of temporary files, and the removal of those that killed runs left.
//
//     characters.plist  ->  .characters.plist.castline-1f0c9a77e2b4d853

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The temporary files beside a file.
enum Debris {
    /// A file that isn't locked and was last written this long ago isn't in use.
    static let abandonedSeconds = 60.0
    /// The number of hexadecimal digits at the end of a name.
    private static let randomDigits = 16

    /// A new name beside the file, which nobody can guess.
    static func newName(for name: String) -> String { prefix(for: name) + randomPart(.random(in: 0 ... .max)) }

    /// A number as the unique part of a name.
    static func randomPart(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: randomDigits - digits.count) + digits
    }

    static func isRandomPart(_ text: some Collection<UInt8>) -> Bool {
        text.count == randomDigits && isHexadecimal(text)
    }

    /// File names have at most 255 bytes, so a long one is cut.
    private static func prefix(for name: String) -> String {
        ".\(name.prefix(fileBytes: 200)).castline-"
    }

    static func isTemporary(_ candidate: String, for name: String) -> Bool {
        let prefix = prefix(for: name).utf8
        return candidate.utf8.starts(with: prefix) && isRandomPart(candidate.utf8.dropFirst(prefix.count))
    }

    /// Whether these are hexadecimal digits as `randomPart` writes them, in lower case.
    static func isHexadecimal(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}

extension FileLocation {
    /// Removes the temporary files that killed runs left for this file. It takes the lock, since another run's
    /// unfinished file looks the same.
    package func removeDebris(under lock: borrowing FileLock) {
        for entry in entries() where Debris.isTemporary(entry, for: name) && isRegular(entry) { remove(entry) }
    }

    /// Removes the temporary files that killed runs left for this file, which has no lock: a run that uses one
    /// keeps it locked and writes to it.
    package func removeAbandoned() {
        let latest = WallClock.epochSeconds - Debris.abandonedSeconds
        for entry in entries() where Debris.isTemporary(entry, for: name) {
            do throws(SystemError) {
                let opened = try Descriptor.regular(
                    entry, in: directory, O_RDONLY | O_NOFOLLOW, path: directoryPath + entry)
                defer { opened.close() }
                guard opened.status.modifiedSeconds < latest else { continue }
                if flock(opened.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 { remove(entry) }
            } catch {
                // It isn't castline's, or another run has removed it.
            }
        }
    }

    /// Whether the name is a regular file's, not a symlink's.
    private func isRegular(_ entry: String) -> Bool {
        var status = stat()
        return unsafe fstatat(directory, entry.fileBytes, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFREG
    }

    /// The names in the directory; none if it can't be read.
    private func entries() -> [String] {
        let number = unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return number >= 0 ? Directory.names(takingOver: number) : []
    }
}
