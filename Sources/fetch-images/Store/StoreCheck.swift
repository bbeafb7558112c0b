// `--verify`: checks that every picture in the store still has the bytes that it is named after.

import PipelineCore
import PipelineHTTP

struct StoreCheck {
    private let directory: String
    private let diagnostics: Diagnostics
    private var (checked, rotten) = (0, 0)
    /// Files and directories that can't be read.
    private var unreadable = 0

    private init(_ directory: String, _ diagnostics: Diagnostics) {
        self.directory = directory
        self.diagnostics = diagnostics
    }

    /// - Parameter report: gets the figures of the run, including `pictures` and `rotten`.
    /// - Returns: status 65 if one has changed, 66 if one can't be read.
    static func run(
        _ directory: String, _ report: inout RunReport, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        var check = StoreCheck(directory, diagnostics)
        report.fetch = RunReport.Fetch()
        defer { report.members = [("pictures", "\(check.checked)"), ("rotten", "\(check.rotten)")] }
        let status = try check.run()
        report.fetch?.isComplete = !Signals.isRequested
        return status
    }

    private mutating func run() throws(ToolFailure) -> ExitStatus {
        let digester = try SHA256()
        for folder in try names(directory).sorted() where AtomicDirectory.isFolder(folder) {
            let path = StoreDirectory.joined(directory, folder)
            for name in readableNames(path) {
                guard let digest = StoredImage.digest(ofFile: name), !Signals.isRequested else { continue }
                checked += 1
                let file = StoreDirectory.joined(path, name)
                do throws(ToolFailure) {
                    if try StoredImage.digest(ofFileAt: file, by: digester) == digest { continue }
                } catch {
                    noteUnreadable(error)
                    continue
                }
                rotten += 1
                diagnostics.error(
                    "\(file) is damaged: its content doesn't match its name; delete it and fetch it again")
            }
        }
        let unread = unreadable == 0 ? "" : ", \(unreadable) that can't be read"
        let pictures = checked == 1 ? "picture" : "pictures"
        let damaged = rotten == 0 ? "none" : "\(rotten)"
        diagnostics.note("\(Command.fetchImages.name): \(checked) \(pictures), \(damaged) damaged\(unread)")
        if unreadable > 0 { return .noInput }
        return rotten == 0 ? .done : .badData
    }

    /// Reports what can't be read, so that the check of the rest continues.
    private mutating func noteUnreadable(_ failure: ToolFailure) {
        unreadable += 1
        diagnostics.error(failure.message)
    }

    private mutating func readableNames(_ path: String) -> [String] {
        do throws(ToolFailure) { return try names(path).sorted() } catch {
            noteUnreadable(error)
            return []
        }
    }

    private func names(_ path: String) throws(ToolFailure) -> [String] {
        try ToolFailure.of(.noInput, orElse: "--dir names the store", Directory.names(path))
    }
}
