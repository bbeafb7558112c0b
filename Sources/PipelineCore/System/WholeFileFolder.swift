// A directory of many small files, each of which appears whole or not at all, whenever a run is ended.
//
//     images/.castline/7f03…     in the making, in a folder of its own
//     images/ab/ab12….jpg        renamed to here: a step that the system doesn't part
//
// A killed run leaves at most a few files in the making; the next one that is alone here removes them, and the folder
// goes with the last run. Files aren't
// forced to the disk one by one, which would take longer than fetching them: after a loss of power the last ones may be
// cut short, so who reads a file must be able to tell by its content or its length whether it is whole.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files in a directory and the folders in it. Names are relative to the directory: `ab/ab12….jpg`.
package final class WholeFileFolder: Sendable {
    /// The folder of files in the making.
    private static let workshop = ".castline"

    /// As it was named.
    package let path: String
    private let directory: Int32
    /// The workshop, open with a shared lock that tells other runs that its files are in use; -1 where only reading.
    private let workshopDescriptor: Int32
    private let mode: mode_t
    /// Numbers for files in the making, from a random one on.
    private let nextNumber: Atomic<UInt64>

    /// What is known of a file.
    package struct Status: Equatable, Sendable {
        package let bytes: Int
        /// Seconds since 1970.
        package let modifiedSeconds: Double
    }

    /// Opens a directory to be written to; it and those above it are made where they are missing.
    /// - Parameter isPrivate: other users may read neither the directory, where it is new, nor its files.
    package init(_ path: String, isPrivate: Bool) throws(SystemError) {
        self.path = path
        mode = isPrivate ? 0o600 : 0o666
        nextNumber = Atomic(UInt64.random(in: 0 ... .max))
        try Directory.make(path, mode: isPrivate ? 0o700 : 0o777)
        directory = try Self.opened(path)
        do throws(SystemError) {
            workshopDescriptor = try Self.openedWorkshop(
                "\(path)/\(Self.workshop)", mode: isPrivate ? 0o700 : 0o777)
        } catch {
            _ = close(directory)
            throw error
        }
    }

    /// Opens a directory to be read from.
    package init(reading path: String) throws(SystemError) {
        self.path = path
        mode = 0
        nextNumber = Atomic(0)
        directory = try Self.opened(path)
        workshopDescriptor = -1
    }

    deinit {
        if workshopDescriptor >= 0 {
            // Who is alone here takes the empty folder away. One that isn't empty stays for the next run.
            if flock(workshopDescriptor, LOCK_EX | LOCK_NB) == 0 {
                unsafe unlinkat(directory, Self.workshop, AT_REMOVEDIR)
            }
            _ = close(workshopDescriptor)
        }
        _ = close(directory)
    }

    private static func opened(_ path: String) throws(SystemError) -> Int32 {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", path) }
        return number
    }

    /// Opens the workshop and shares its lock. Another run may take the folder away in between: then it is made again.
    private static func openedWorkshop(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
        while true {
            try Directory.make(path, mode: mode)
            let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if number >= 0 {
                share(number)
                var held = stat()
                var named = stat()
                if unsafe fstat(number, &held) == 0, unsafe stat(path, &named) == 0, held.st_ino == named.st_ino {
                    return number
                }
                _ = close(number)
            } else if errno != ENOENT {
                throw .last("open", path)
            }
        }
    }

    /// Takes the shared lock, and empties the workshop where no other run has it. Where the file system has no locks
    /// nobody empties it.
    private static func share(_ workshop: Int32) {
        if flock(workshop, LOCK_EX | LOCK_NB) == 0 {
            let number = unsafe openat(workshop, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if number >= 0 {
                for name in Directory.names(takingOver: number) where !name.hasPrefix(".") {
                    unsafe unlinkat(workshop, name, 0)
                }
            }
        }
        // Who holds it alone does so for the moment of the emptying.
        for _ in 0..<100 {
            guard flock(workshop, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK, MonotonicClock.wait(seconds: 0.01)
            else { return }
        }
    }

    // MARK: Reading

    /// What stands by that name, nil where no regular file does.
    package func status(of name: String) -> Status? {
        var status = stat()
        guard unsafe fstatat(directory, name, &status, 0) == 0 else { return nil }
        return Self.status(status)
    }

    private static func status(_ status: stat) -> Status? {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Status(
            bytes: Int(status.st_size), modifiedSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// The bytes of a file and what is known of it, nil where it isn't there, can't be read or is too large.
    package func read(_ name: String, limitBytes: Int = .max) -> (bytes: [UInt8], status: Status)? {
        let number = unsafe openat(directory, name, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { _ = close(number) }
        var known = stat()
        guard unsafe fstat(number, &known) == 0, let status = Self.status(known), status.bytes <= limitBytes else {
            return nil
        }
        let file = Descriptor(rawValue: number, name: name)
        do throws(SystemError) {
            var bytes = [UInt8].untouched(status.bytes)
            let count = try file.read(into: &bytes, at: 0)
            return count == bytes.count ? (bytes, status) : nil
        } catch {
            return nil
        }
    }

    /// The names in the directory or in a folder of it, hidden ones left out.
    package func names(in folder: String = ".") -> [String] {
        let number = unsafe openat(directory, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return number >= 0 ? Directory.names(takingOver: number).filter { !$0.hasPrefix(".") } : []
    }

    // MARK: Writing

    /// Writes a file; one of that name is replaced. Its folder is made where it is missing.
    package func write(_ name: String, _ bytes: Span<UInt8>) throws(SystemError) {
        let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = String(number, radix: 16)
        let removal = Interruption.removeIfEnded("\(path)/\(Self.workshop)/\(temporary)")
        defer { Interruption.forget(removal) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe openat(workshopDescriptor, temporary, flags, mode)
        guard descriptor >= 0 else { throw .last("create a file in", path) }
        do throws(SystemError) {
            try finish(Descriptor(rawValue: descriptor, name: "\(path)/\(name)"), bytes)
            try rename(temporary, to: name)
        } catch {
            unsafe unlinkat(workshopDescriptor, temporary, 0)
            throw error
        }
    }

    private func finish(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) {
        do throws(SystemError) {
            try file.writeAll(bytes)
        } catch {
            _ = close(file.rawValue)
            throw error
        }
        try file.close()
    }

    private func rename(_ temporary: String, to name: String) throws(SystemError) {
        if unsafe renameat(workshopDescriptor, temporary, directory, name) == 0 { return }
        let error = SystemError.last("create", "\(path)/\(name)")
        let folder = FilePlace.split(name).prefix
        guard error.code == ENOENT, !folder.isEmpty else { throw error }
        try Directory.make("\(path)/\(folder.dropLast())", mode: mode == 0o600 ? 0o700 : 0o777)
        guard unsafe renameat(workshopDescriptor, temporary, directory, name) == 0 else { throw error }
    }

    /// Removes a file, if it is there.
    package func remove(_ name: String) { unsafe unlinkat(directory, name, 0) }

    /// Sets a file's time to now, as a mark that it was used.
    package func touch(_ name: String) { unsafe utimensat(directory, name, nil, 0) }
}
