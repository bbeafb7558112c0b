// `--verify`: whether every picture in the store still has the bytes that it is named after.

import PipelineCore
import PipelineHTTP

/// A look at all files of the store.
struct StoreCheck {
    private static let digits = Set("0123456789abcdef")

    private let directory: String
    private let diagnostics: Diagnostics
    /// Pictures, and those of them that aren't what they were.
    private var (checked, rotten) = (0, 0)

    private init(_ directory: String, _ diagnostics: Diagnostics) {
        self.directory = directory
        self.diagnostics = diagnostics
    }

    /// Reads every picture.
    /// - Parameter reportFile: gets the figures of the run, `pictures` and `rotten` among them.
    /// - Returns: status 65 where one isn't what it was.
    static func run(
        _ directory: String, _ reportFile: ReportFile?, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        var report = RunReport(tool: Command.fetchImages.name)
        var check = StoreCheck(directory, diagnostics)
        let result: Result<ExitStatus, ToolFailure>
        do throws(ToolFailure) { result = .success(try check.run()) } catch { result = .failure(error) }
        var fetch = RunReport.Fetch()
        if case .success = result { fetch.isComplete = !Interruption.isRequested }
        report.fetch = fetch
        report.members = [("pictures", "\(check.checked)"), ("rotten", "\(check.rotten)")]
        try reportFile?.write(report, result)
        return try result.get()
    }

    private mutating func run() throws(ToolFailure) -> ExitStatus {
        let digester = try SHA256()
        for folder in try names(directory).sorted() where folder.count == 2 && isHexadecimal(folder) {
            let path = ImageStore.joined(directory, folder)
            for name in try names(path).sorted() {
                let digest = name.prefix { $0 != "." }
                guard digest.count == 64, isHexadecimal(digest), !Interruption.isRequested else { continue }
                checked += 1
                let file = ImageStore.joined(path, name)
                if SHA256.hexadecimal(try digester.digest(fileAt: file)) == digest { continue }
                rotten += 1
                diagnostics.error("\(file) isn't what it was; delete it and fetch its picture again")
            }
        }
        diagnostics.note("\(checked) \(checked == 1 ? "picture" : "pictures"), \(rotten) of them rotten")
        return rotten == 0 ? .done : .badData
    }

    private func isHexadecimal(_ text: some StringProtocol) -> Bool { text.allSatisfy(Self.digits.contains) }

    private func names(_ path: String) throws(ToolFailure) -> [String] {
        do throws(SystemError) {
            return try Directory.names(path)
        } catch {
            throw ToolFailure(.noInput, "\(error); name the store with --dir")
        }
    }
}
