// The directories `00` to `ff` of a directory, over which files are spread by the first two digits of their names.
//
//     images/ab/ab12….jpg
//
// They are opened without following symlinks, and their files are reached through the open directory, so a symlink
// in place of one leads nowhere.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The directories in use, some of them held open.
final class DigestDirectories: Sendable {
    private let directory: Int32
    /// The directory's path, for messages.
    private let path: String
    /// The mode of new directories.
    private let mode: mode_t
    private struct Held {
        /// Descriptors; -1 for a directory that isn't held open.
        var numbers = [Int32](repeating: -1, count: 256)
        /// How many more may be held open.
        var room = OpenFiles.directories
    }
    private let held = Mutex(Held())

    init(in directory: Int32, _ path: String, mode: mode_t) {
        self.directory = directory
        self.path = path
        self.mode = mode
    }

    deinit {
        for number in held.withLock({ $0.numbers }) where number >= 0 { _ = close(number) }
    }

    /// Where a file is: its open directory, and its name there.
    struct Location: ~Copyable {
        let folder: Int32
        let name: String
        /// For messages.
        let path: String
        fileprivate let isHeld: Bool

        deinit { if !isHeld { _ = close(folder) } }
    }

    /// The location of a name: `ab/ab12….jpg` is in the directory `ab`, `x.jpg` in the directory itself.
    /// - Parameter makes: creates a missing directory.
    /// - Throws: `ENOENT` if it is missing and `makes` is false, `SystemError.notOurs` if it isn't a directory.
    func location(_ name: String, makes: Bool) throws(SystemError) -> Location {
        guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            return Location(folder: directory, name: name, path: "\(path)/\(name)", isHeld: true)
        }
        let folder = String(name[..<slash])
        let rest = String(name[name.utf8.index(after: slash)...])
        guard let index = Self.index(folder) else {
            throw SystemError(code: ENOENT, operation: "open", subject: "\(path)/\(folder)")
        }
        let path = "\(path)/\(name)"
        let known = held.withLock { $0.numbers[index] }
        if known >= 0 { return Location(folder: known, name: rest, path: path, isHeld: true) }
        let number = try opened(folder, makes: makes)
        return Location(folder: number, name: rest, path: path, isHeld: hold(number, index))
    }

    /// The index of a directory whose name is two hexadecimal digits.
    private static func index(_ folder: String) -> Int? {
        guard folder.utf8.count == 2, Debris.isHexadecimal(folder.utf8) else { return nil }
        return Int(folder, radix: 16)
    }

    private func opened(_ folder: String, makes: Bool) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var number = unsafe openat(directory, folder, flags)
        if number < 0, errno == ENOENT, makes {
            guard unsafe mkdirat(directory, folder, mode) == 0 || errno == EEXIST else {
                throw .last("create", "\(path)/\(folder)")
            }
            number = unsafe openat(directory, folder, flags)
        }
        guard number < 0 else { return number }
        let isOther = errno == ENOTDIR || errno == ELOOP
        throw SystemError(
            code: isOther ? SystemError.notOurs : errno, operation: "use", subject: "\(path)/\(folder)")
    }

    /// - Returns: whether it is now held open.
    private func hold(_ number: Int32, _ index: Int) -> Bool {
        held.withLock { held in
            guard held.room > 0, held.numbers[index] < 0 else { return false }
            held.room -= 1
            held.numbers[index] = number
            return true
        }
    }
}
