// `--verify`: checks that every picture in the store still has the bytes that it is named after.

import PipelineCore

enum PictureCheck {
    /// - Parameter report: gets the figures of the run, including `pictures` and `rotten`.
    /// - Returns: status 65 if one has changed, 66 if one can't be read.
    static func run(
        _ directory: String, _ report: inout RunReport, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        /// `unreadable` counts files and directories.
        var (checked, rotten, unreadable) = (0, 0, 0)
        report.fetch = RunReport.Fetch()
        defer { report.members = [("pictures", "\(checked)"), ("rotten", "\(rotten)")] }

        func check(_ file: String, _ digest: Substring) throws(ToolFailure) {
            checked += 1
            if try StoredImage.digest(ofFileAt: file) == digest { return }
            rotten += 1
            let links = FileLocation.status(ofPath: file)?.links ?? 1
            let also = links > 1 ? " and its other name (find -samefile)" : ""
            diagnostics.error(
                "\(file) is damaged: its content doesn't match its name; delete it\(also) and fetch it again")
        }
        /// Reports what can't be read, so that the check of the rest continues.
        func trying(_ check: () throws(ToolFailure) -> Void) {
            do throws(ToolFailure) { try check() } catch {
                unreadable += 1
                diagnostics.error(error.message)
            }
        }
        for folder in try names(directory) where AtomicDirectory.isFolder(folder) {
            let path = StoreDirectory.joined(directory, folder)
            trying { () throws(ToolFailure) in
                for name in try names(path) where !Signals.isRequested {
                    guard let digest = StoredImage.digest(ofFile: name) else { continue }
                    trying { () throws(ToolFailure) in try check(StoreDirectory.joined(path, name), digest) }
                }
            }
        }
        let unread = unreadable == 0 ? "" : ", \(unreadable) that can't be read"
        let pictures = checked == 1 ? "picture" : "pictures"
        let damaged = rotten == 0 ? "none" : "\(rotten)"
        diagnostics.note("\(checked) \(pictures), \(damaged) damaged\(unread)")
        report.fetch?.isComplete = !Signals.isRequested
        if unreadable > 0 { return .noInput }
        return rotten == 0 ? .done : .badData
    }

    private static func names(_ path: String) throws(ToolFailure) -> [String] {
        try ToolFailure.of(.noInput, orElse: "--dir names the store", Directory.names(path)).sorted()
    }
}
