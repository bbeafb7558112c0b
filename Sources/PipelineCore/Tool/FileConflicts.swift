// Checks that no file of a run is two things at once. A shell can't detect this, and data is lost silently.
//
//     filter-search Mick a.jsonl --report a.jsonl     would empty its own input
//     filter-search Mick a.jsonl >> a.jsonl           would read its own output, without end
//     … --report run.json --on-bad-line=run.json         would overwrite one with the other

package struct FileConflicts {
    struct File {
        /// What the user calls it, such as `--report a.json`.
        let role: String
        let path: String
        /// Its device and inode; of one that isn't there yet those of its directory, and its name.
        let identity: String

        /// Whether both are one file, now too: where other runs replace files, a new one may get the number of an old one
        /// between two looks.
        func isSame(as other: File) -> Bool {
            identity == other.identity
                && FileConflicts.file(role, path)?.identity == FileConflicts.file(other.role, other.path)?.identity
        }
    }

    private(set) var written: [File]
    /// Names that no written file may have.
    private var reserved: [File] = []
    /// Messages go there, so nothing else may write over it from its start.
    private let messages = Self.file("stderr", "/dev/stderr")

    /// - Parameter fillsOutput: the input is passed on to stdout, more than one line of it.
    package init(fillsOutput: Bool = true) {
        written = fillsOutput ? [Self.file("stdout", "/dev/stdout")].compactMap { $0 } : []
    }

    /// - Parameters:
    ///   - role: an option or an operand's name in the help.
    ///   - path: nil if there is none.
    /// - Throws: status 64 for an empty path, for `-`, and for the file that the messages go to.
    package mutating func write(_ role: String, _ path: String?) throws(ToolFailure) {
        guard let path else { return }
        if path.isEmpty || path == "-" {
            let cure = path.isEmpty ? nil : "stdout has another use"
            throw ToolFailure(.usage, Message("\(role) needs the name of a file", cure: cure))
        }
        guard let file = Self.file("\(role) \(path)", path) else { return }
        written.append(file)
        if file.identity == messages?.identity {
            throw ToolFailure(.usage, "\(file.role) is the same file as stderr; choose another for one of them")
        }
    }

    /// Adds a name that a run needs for a file of its own, such as a lock, whatever stands there now.
    package mutating func reserve(_ role: String, _ path: String?) {
        guard let path, let place = Self.place(path) else { return }
        reserved.append(File(role: "\(role) \(path)", path: path, identity: place))
    }

    /// - Parameter reads: the paths that are read; `-` is stdin.
    /// - Throws: status 64 if a file to be written is also read or written as something else.
    package func check(reads: some Sequence<String>) throws(ToolFailure) {
        guard !written.isEmpty else { return }
        let read = reads.compactMap { $0 == "-" ? Self.file("stdin", "/dev/stdin") : Self.file($0, $0) }
        for (index, file) in written.enumerated() {
            if let place = Self.place(file.path), let other = reserved.first(where: { $0.identity == place }) {
                throw ToolFailure(.usage, "\(file.role) has the name of \(other.role); choose another one")
            }
            if let other = read.first(where: { $0.isSame(as: file) }) {
                throw ToolFailure(
                    .usage, "\(file.role) is also the input \(other.role); write to another file")
            }
            if let other = written[..<index].first(where: { $0.isSame(as: file) }) {
                throw ToolFailure(
                    .usage, "\(file.role) is the same file as \(other.role); choose another for one of them")
            }
        }
    }

    /// Nil for devices, pipes and sockets, which may be several things at once.
    private static func file(_ role: String, _ path: String) -> File? {
        if let status = FileLocation.status(ofPath: path) {
            guard status.isRegular else { return nil }
            return File(role: role, path: path, identity: "\(status.device):\(status.inode)")
        }
        return place(path).map { File(role: role, path: path, identity: $0) }
    }

    private static func place(_ path: String) -> String? {
        let (prefix, name) = FileLocation.split(path)
        guard let directory = FileLocation.status(ofPath: prefix.isEmpty ? "." : prefix) else { return nil }
        return "\(directory.device):\(directory.inode)/\(name.fileBytes)"
    }
}
