// A directory for the files that a check needs, since the readers of stores read files.

@testable import PipelineCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A directory of one process or one test, removed with it.
final class Workspace: Sendable {
    private let folder: String
    /// The input, and what is written from it.
    let input, output: ScratchFile

    /// Makes the directory in that for temporary files.
    init() throws {
        var template = Array(((Environment.value("TMPDIR") ?? "/tmp") + "/castline-fuzz-XXXXXX").utf8CString)
        let folder = unsafe template.withUnsafeMutableBufferPointer { buffer in
            // SAFETY: the buffer ends with a zero, and is changed in place.
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
        }
        guard let folder else { throw SystemError.last("create a folder in", "TMPDIR") }
        self.folder = folder
        input = try ScratchFile("\(folder)/in")
        output = try ScratchFile("\(folder)/out")
    }

    deinit {
        for file in [input, output] { _ = unsafe unlink(file.path) }
        _ = unsafe rmdir(folder)
    }
}

/// A file that is filled and read over and over.
final class ScratchFile: Sendable {
    let path: String
    let descriptor: Descriptor

    init(_ path: String) throws {
        self.path = path
        let number = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("create", path) }
        descriptor = Descriptor(rawValue: number, name: path)
    }

    deinit { close(descriptor.rawValue) }

    /// Forgets what is in the file; what comes is written at its beginning.
    func empty() throws {
        guard ftruncate(descriptor.rawValue, 0) == 0, lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else {
            throw SystemError.last("empty", path)
        }
    }

    /// Makes the bytes all that is in the file.
    func fill(_ bytes: [UInt8]) throws {
        try empty()
        try descriptor.writeAll(bytes.span)
    }

    func content() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try descriptor.status().bytes)
        let count = try descriptor.read(into: &bytes, at: 0)
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
