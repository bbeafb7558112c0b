// A file that is read as a whole: a description, a key, a saved place.

import PipelineCore

/// Reads files.
enum SmallFile {
    /// The file's bytes, at most so many: what is behind them isn't read.
    static func read(_ path: String, limitBytes: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor.reading(path)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limitBytes {
            let count = try file.read(into: &block, 0..<min(block.count, limitBytes - bytes.count))
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        try file.close()
        return bytes
    }
}
