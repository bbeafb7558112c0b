// Splits the files of a command line into parts that can be searched at the same time.
//
//     a.jsonl, 600 kB        | 0 … 256 kB | 256 … 512 kB | 512 … 600 kB |      a line belongs to the part that it begins in
//     -, a pipe              read in turn, by one thread

import PipelineCore

/// Walks through the files, and opens each only when its turn comes.
struct FileParts {
    /// The size of a part, in bytes: large enough to be worth passing to a thread, small enough to hold many in
    /// memory.
    static let size = 262_144

    struct Part: Sendable {
        var file: Descriptor
        var bytes: Range<Int>
        /// Whether to close the file after reading this part.
        var isLast: Bool
    }

    enum Piece {
        case part(Part)
        /// Stdin, a file that isn't regular, or one that can't be opened.
        case stream(String)
    }

    private var paths: ArraySlice<String>
    private var file: Descriptor?
    private var size = 0
    private var offset = 0

    init(_ paths: ArraySlice<String>) { self.paths = paths }

    /// Whether the files are large enough to be worth starting more than one thread.
    static func areLarge(_ paths: ArraySlice<String>) -> Bool {
        var total = 0
        for path in paths where total < leastBytes { total += Descriptor.fileSize(path) ?? 0 }
        return total >= leastBytes
    }
    private static let leastBytes = 4 * size

    /// The total size of the files, in bytes; nil if any isn't a regular file.
    static func size(of paths: ArraySlice<String>) -> Int? {
        var total = 0
        for path in paths {
            guard let size = Descriptor.fileSize(path) else { return nil }
            total += size
        }
        return total
    }

    /// The next piece; nil at the end.
    mutating func next() -> Piece? {
        if let file {
            // Anything added to the file since it was opened belongs to the last part.
            let isLast = size - offset <= Self.size
            let part = Part(file: file, bytes: offset..<(isLast ? Int.max : offset + Self.size), isLast: isLast)
            offset += Self.size
            if isLast { self.file = nil }
            return .part(part)
        }
        guard let path = paths.popFirst() else { return nil }
        // A file that can't be opened is tried again in its turn, and reported then.
        guard path != "-", Descriptor.fileSize(path) != nil else { return .stream(path) }
        do throws(SystemError) {
            let opened = try Descriptor.reading(path)
            (file, size, offset) = (opened, opened.fileSize ?? 0, 0)
            return next()
        } catch {
            return .stream(path)
        }
    }
}
