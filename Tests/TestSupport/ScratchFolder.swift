// A directory for one test, gone when the test is.

package import Foundation

/// A new, empty directory under the system's place for temporary files.
package final class ScratchFolder {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("castline-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A test may have removed it, or made it unwritable on purpose.
        }
    }

    /// The path of a file in the directory.
    package func path(_ name: String) -> String { path + "/" + name }

    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    package func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    package func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    package func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

    // The calls of the C library that tests need, which fail by throwing.

    package func makeFolder(_ name: String) throws { try check(unsafe mkdir(path(name), 0o755)) }

    package func makePipe(_ name: String) throws { try check(unsafe mkfifo(path(name), 0o600)) }

    package func link(_ name: String, to target: String) throws { try check(unsafe symlink(target, path(name))) }

    package func setMode(_ mode: UInt32, of name: String) throws {
        try check(unsafe chmod(path(name), mode_t(mode)))
    }

    package func setOwner(_ user: UInt32, _ group: UInt32, of name: String) throws {
        try check(unsafe chown(path(name), user, group))
    }

    private func check(_ result: Int32) throws {
        guard result == 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EINVAL) }
    }
}
