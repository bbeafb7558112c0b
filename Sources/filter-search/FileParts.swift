// The files of a command line as parts that can be searched at the same time.
//
//     a.jsonl, 600 kB        | 0 … 256 kB | 256 … 512 kB | 512 … 600 kB |      a line belongs to the part that it begins in
//     -, a pipe              read in their turn, by one thread

import PipelineCore

/// Goes through the files, and opens each only when its turn comes.
struct FileParts {
    /// A part's size in bytes: large enough that handing it over costs little, small enough that many are in memory.
    static let size = 262_144

    struct Part: Sendable {
        var file: Descriptor
        var bytes: Range<Int>
        /// The file is closed when this part has been read.
        var isLast: Bool
    }

    enum Piece {
        case part(Part)
        /// Stdin, a file that isn't a regular one, or one that can't be opened.
        case stream(String)
    }

    private var paths: ArraySlice<String>
    private var file: Descriptor?
    private var size = 0
    private var offset = 0

    init(_ paths: ArraySlice<String>) { self.paths = paths }

    /// Whether the files are so large that more than one thread is worth its start.
    static func areLarge(_ paths: ArraySlice<String>) -> Bool {
        var total = 0
        for path in paths where total < leastBytes { total += Descriptor.fileSize(path) ?? 0 }
        return total >= leastBytes
    }
    private static let leastBytes = 4 * size

    /// What all the files hold, in bytes; nil where one of them isn't a file.
    static func size(of paths: ArraySlice<String>) -> Int? {
        var total = 0
        for path in paths {
            guard let size = Descriptor.fileSize(path) else { return nil }
            total += size
        }
        return total
    }

    /// The next piece, nil where there is none.
    mutating func next() -> Piece? {
        if let file {
            // What has been added to the file since it was opened belongs to the last part.
            let isLast = size - offset <= Self.size
            let part = Part(file: file, bytes: offset..<(isLast ? Int.max : offset + Self.size), isLast: isLast)
            offset += Self.size
            if isLast { self.file = nil }
            return .part(part)
        }
        guard let path = paths.popFirst() else { return nil }
        // What can't be opened is opened again in its turn, and named then.
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
