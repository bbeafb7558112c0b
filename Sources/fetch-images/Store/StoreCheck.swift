// `--verify`: whether every picture in the store still has the bytes that it is named after.

import PipelineCore
import PipelineHTTP

/// A look at all files of the store.
struct StoreCheck {
    private static let digits = Set("0123456789abcdef")

    private let directory: String
    private let diagnostics: Diagnostics

    init(_ directory: String, _ diagnostics: Diagnostics) {
        self.directory = directory
        self.diagnostics = diagnostics
    }

    /// Reads every picture.
    /// - Returns: status 65 where one isn't what it was.
    func run() throws(ToolFailure) -> ExitStatus {
        let digester = try SHA256()
        var checked = 0
        var rotten = 0
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
        diagnostics.note("\(checked) pictures, \(rotten) of them rotten")
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
