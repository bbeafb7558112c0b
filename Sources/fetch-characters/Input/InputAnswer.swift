// What --input names: a file or, for `-`, stdin.

import PipelineCore

/// A saved answer.
struct InputAnswer {
    private let descriptor: Descriptor
    /// In bytes, if it is a file.
    let totalBytes: Int?

    /// - Throws: status 66 for a file that can't be read.
    init(_ path: String) throws(ToolFailure) {
        if path == "-" {
            descriptor = .standardInput
        } else {
            do throws(SystemError) { descriptor = try .reading(path) } catch {
                throw ToolFailure(.noInput, error.advice(orElse: "--input takes a file, or - for stdin"))
            }
        }
        totalBytes = descriptor.bytesLeft
        descriptor.widenPipe()
        Descriptor.standardOutput.widenPipe()
    }

    /// As messages call it.
    var name: String { descriptor.name }

    /// Whether a read wouldn't wait.
    var isReady: Bool { descriptor.isReady(toRead: true) }

    /// - Returns: the bytes read, 0 at the end.
    func read(into buffer: inout PieceBuffer) throws(SystemError) -> Int { try buffer.read(descriptor) }
}
