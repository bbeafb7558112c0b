// Splits the files of a command line into parts that can be searched at the same time.
//
//     a.jsonl, 600 kB        | 0 … 256 kB | 256 … 512 kB | 512 … 600 kB |      a line belongs to the part that it begins in
//     - < b.jsonl            the same, from where its offset stands
//     -, a pipe              read in turn, by one thread

import PipelineCore

/// Walks through the files, and opens each only when its turn comes.
struct FileParts {
    /// The size of a part, in bytes: large enough that passing it to a thread costs little (where every line matches, parts of
    /// 512 KB take 1.1 times the CPU), small enough to keep the matches of several in memory.
    private static let mostBytes = 2 << 20
    /// A file of a few parts is cut into smaller ones, so that no thread is idle for long.
    private static let fewParts = 16
    static let standardInput = "-"

    struct Part: Sendable {
        let file: Descriptor
        /// The offset in the file where the input begins.
        let origin: Int
        /// From the origin on.
        let bytes: Range<Int>
        let isLast: Bool

        /// Ends the work on the file after its last part, having read this number of bytes.
        func end(after bytes: Int) throws(SystemError) {
            if file.rawValue == Descriptor.standardInput.rawValue {
                file.seek(to: origin + bytes)
            } else {
                try file.close()
            }
        }
    }

    enum Piece {
        case part(Part)
        /// A stream, a file that isn't regular, or one that can't be opened.
        case stream(String)
    }

    private var paths: ArraySlice<String>
    private var file: Descriptor?
    private var origin = 0
    private var size = 0
    private var offset = 0
    private var partBytes: Int { min(Self.mostBytes, max(Self.mostBytes / 4, size / Self.fewParts)) }

    init(_ paths: ArraySlice<String>) { self.paths = paths }

    static func areLarge(_ paths: ArraySlice<String>) -> Bool {
        paths.reduce(0) { $0 + (bytes(of: $1) ?? 0) } >= leastBytes
    }
    private static let leastBytes = 1 << 20

    /// The total size of the files, in bytes; nil if any isn't a regular file.
    static func size(of paths: ArraySlice<String>) -> Int? {
        let sizes = paths.compactMap { bytes(of: $0) }
        return sizes.count == paths.count ? sizes.reduce(0, +) : nil
    }

    private static func bytes(of path: String) -> Int? {
        path == standardInput ? Descriptor.standardInput.bytesLeft : FileLocation.status(ofPath: path)?.regularBytes
    }

    mutating func next() -> Piece? {
        if let file {
            // Anything added to the file since it was opened belongs to the last part.
            let isLast = size - offset <= partBytes
            let bytes = offset..<(isLast ? Int.max - origin : offset + partBytes)
            offset = bytes.upperBound
            if isLast { self.file = nil }
            return .part(Part(file: file, origin: origin, bytes: bytes, isLast: isLast))
        }
        guard let path = paths.popFirst() else { return nil }
        // A file that can't be opened is tried again in its turn, and reported then.
        guard let left = Self.bytes(of: path) else { return .stream(path) }
        offset = 0
        guard path != Self.standardInput else {
            let input = Descriptor.standardInput
            (file, origin, size) = (input, input.offset, left)
            // Named once more, stdin has nothing left.
            input.seek(to: origin + left)
            return next()
        }
        guard let opened = try? Descriptor.reading(path) else { return .stream(path) }
        (file, origin, size) = (opened, 0, opened.fileSize ?? 0)
        return next()
    }
}
