// The files of a run, so that none is two things at once. A shell can't see this, and what is lost is lost silently.
//
//     filter-search Mick a.jsonl --report a.jsonl     would empty what it is to read
//     filter-search Mick a.jsonl >> a.jsonl           would read what it has written, without end
//     … --report run.json --rejects run.json          would write one over the other

/// What a run reads and writes.
package struct FileConflicts {
    /// The same for two names of one file.
    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
        /// In the directory that the other two tell, where there is no file yet.
        var name = ""
    }

    private struct File {
        /// How the user knows it, such as `--report a.json`.
        let role: String
        let identity: Identity
    }

    private var written: [File]
    /// Messages go there, among which nothing else may be written from the file's beginning.
    private let messages = Self.file("stderr", "/dev/stderr")
    /// An option whose file has no name.
    private var nameless: String?
    /// What would write over the messages.
    private var taken: String?

    /// - Parameter fillsOutput: what is read goes on to stdout, more than a line of it.
    package init(fillsOutput: Bool = true) {
        written = fillsOutput ? [Self.file("stdout", "/dev/stdout")].compactMap { $0 } : []
    }

    /// Adds a file that is written.
    /// - Parameters:
    ///   - role: an option or an operand's name in the help,
    ///   - path: nil where there is none.
    package mutating func write(_ role: String, _ path: String?) {
        guard let path else { return }
        if path.isEmpty { nameless = role }
        guard let file = Self.file("\(role) \(path)", path) else { return }
        written.append(file)
        if file.identity == messages?.identity { taken = taken ?? file.role }
    }

    /// - Parameter reads: the paths of what is read; `-` is stdin.
    /// - Throws: status 64 where a file is to be written that is read or written as something else too, or has no name.
    package func check(reads: some Sequence<String>) throws(ToolFailure) {
        if let nameless { throw ToolFailure(.usage, "\(nameless) needs the name of a file") }
        if let taken {
            throw ToolFailure(.usage, "\(taken) is the same file as stderr; choose another one for one of them")
        }
        guard !written.isEmpty else { return }
        let read = reads.compactMap { $0 == "-" ? Self.file("stdin", "/dev/stdin") : Self.file($0, $0) }
        for (index, file) in written.enumerated() {
            if let other = read.first(where: { $0.identity == file.identity }) {
                throw ToolFailure(
                    .usage,
                    "\(file.role) is the file that is read as \(other.role); choose another file to write to")
            }
            if let other = written[..<index].first(where: { $0.identity == file.identity }) {
                throw ToolFailure(
                    .usage, "\(file.role) is the same file as \(other.role); choose another one for one of them")
            }
        }
    }

    /// Nil for devices, pipes and sockets, which may be several things at once.
    private static func file(_ role: String, _ path: String) -> File? {
        if let status = FileLocation.status(ofPath: path) {
            guard status.isRegular else { return nil }
            return File(role: role, identity: Identity(device: status.device, inode: status.inode))
        }
        let (prefix, name) = FileLocation.split(path)
        guard let directory = FileLocation.status(ofPath: prefix.isEmpty ? "." : prefix) else { return nil }
        return File(role: role, identity: Identity(device: directory.device, inode: directory.inode, name: name))
    }
}
