// A folder for one test, gone when the test is.

import Foundation

/// A new, empty folder.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("castline-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A test may have made it unwritable on purpose.
        }
    }

    func path(_ name: String) -> String { path + "/" + name }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    // The calls of the C library that tests need, which fail by throwing.

    func makeFolder(_ name: String) throws { try check(unsafe mkdir(path(name), 0o755)) }

    func makePipe(_ name: String) throws { try check(unsafe mkfifo(path(name), 0o600)) }

    func link(_ name: String, to target: String) throws { try check(unsafe symlink(target, path(name))) }

    func setMode(_ mode: UInt32, of name: String) throws { try check(unsafe chmod(path(name), mode_t(mode))) }

    func setOwner(_ user: UInt32, _ group: UInt32, of name: String) throws {
        try check(unsafe chown(path(name), user, group))
    }

    private func check(_ result: Int32) throws {
        guard result == 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EINVAL) }
    }
}
