// Options that don't go together, and files that would be two things at once.

import PipelineCore

extension StoreSettings {
    /// Checks the options against each other.
    func check() throws(UsageError) {
        if let rivals { throw UsageError("\(rivals.0) and \(rivals.1) each say what to do; choose one") }
        try checkUses()
        if typeName != nil, action != .describe {
            throw UsageError("--type names the type of --describe swift; leave it out, or add --describe swift")
        }
        if !action.isReading { try checkKeys() }
        if !ignored.isEmpty, mode == .append || mode == .remove {
            throw UsageError(
                "--ignore says nothing to --mode=\(mode == .append ? "append" : "remove"); leave it out")
        }
        if layout.isKeyed, mode == .append {
            throw UsageError("--keyed holds one record for a key; use --mode=merge instead of append")
        }
        if let path = rules.dates.first(where: { date in rules.data.contains { $0.text == date.text } }) {
            throw UsageError("--date and --data both name \(path.text); choose one")
        }
        if changesPath == "-", isTeeing || file == "-" {
            throw UsageError("--changes - and \(isTeeing ? "--tee" : "-") both want stdout; name a file")
        }
        if isTeeing, file == "-" { throw UsageError("--tee and - both want stdout; name a file") }
        if verifies, file == "-" { throw UsageError("--verify reads the file back; name a file instead of -") }
        if oldStore == "-", newStore == nil {
            throw UsageError("--diff - and the records both want stdin; name the old store or the new one")
        }
    }

    /// Refuses options that say nothing to this run.
    private func checkUses() throws(UsageError) {
        let name = action.option ?? ""
        if action.isReading {
            let strange = uses[.replacing] ?? uses[.taking] ?? uses[.comparing]
            if let option = strange ?? (!keys.isEmpty && !layout.isKeyed ? "--key" : nil) {
                throw UsageError("\(name) only reads; leave out \(option)")
            }
        }
        if action == .diff {
            if let option = uses[.replacing] { throw UsageError("\(name) stores nothing; leave out \(option)") }
            if let newStore, let option = uses[.taking] {
                throw UsageError(
                    "\(option) is about records that come in, and \(newStore) is a store; leave it out")
            }
        } else if tellsByStatus {
            throw UsageError("--exit-status is about what --diff finds; leave it out, or add --diff")
        }
        if action == .load || action == .diff || changesPath != nil { return }
        if uses[.loading] != nil {
            throw UsageError(
                "--nonfinite is about what --load, --changes and --diff write; leave it out, or add one of them")
        }
    }

    /// What can't be done without keys.
    private func checkKeys() throws(UsageError) {
        guard keys.isEmpty else { return }
        if mode == .merge || mode == .remove {
            throw UsageError("--mode=\(mode == .merge ? "merge" : "remove") needs --key PATH")
        }
        let needs = [
            ("--changes", changesPath != nil), ("--diff", action == .diff), ("--ignore", !ignored.isEmpty),
        ]
        if let (option, _) = needs.first(where: { $0.1 }) {
            throw UsageError("\(option) needs --key PATH, which tells records apart")
        }
        if layout.isKeyed { throw UsageError("--keyed needs --key PATH") }
    }

    /// - Throws: status 64 if a file would be two things at once.
    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts()
        files.write("--report", reportPath)
        files.write("--rejects", input.rejectsPath)
        if changesPath != "-" { files.write("--changes", changesPath) }
        if action == .store, file != "-" { files.write("FILE", file) }
        // A lock that was replaced would keep every later run from storing.
        files.reserve("the lock", action == .store ? Self.lock(of: file) : nil)
        files.reserve("the lock", changesPath.flatMap { Self.lock(of: $0) })
        let reads = action.isReading ? [file] : action == .diff ? [oldStore ?? "-", newStore ?? "-"] : ["-"]
        try files.check(reads: reads)
        // A killed run may have left the backup and FILE as two names of one file, which is fine.
        guard let backupSuffix else { return }
        var kept = FileConflicts(fillsOutput: false)
        kept.write("--report", reportPath)
        kept.write("--rejects", input.rejectsPath)
        if changesPath != "-" { kept.write("--changes", changesPath) }
        kept.reserve("the lock", Self.lock(of: file))
        kept.write("--backup", (Self.resolved(file) ?? file) + backupSuffix)
        try kept.check(reads: [])
    }

    /// The file that a path leads to, which is the one that is replaced; nil for a stream.
    private static func resolved(_ path: String) -> String? {
        guard path != "-", FileLocation.status(ofPath: path)?.isRegular ?? true else { return nil }
        do throws(SystemError) {
            let location = try FileLocation(path)
            return location.directoryPath + location.name
        } catch {
            return nil
        }
    }

    private static func lock(of path: String) -> String? {
        guard let resolved = resolved(path) else { return nil }
        let (directory, name) = FileLocation.split(resolved)
        return directory + FileLock.name(for: name)
    }
}
