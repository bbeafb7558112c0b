// What --source names: a description of the library, or a file of the user's.

import PipelineCore
import PipelineHTTP

/// Finds and reads descriptions.
enum SourceLookup {
    /// The description of that name, unchecked.
    /// - Throws: status 64 for an unknown name, 66 for a file that can't be read.
    static func description(_ name: String) throws(ToolFailure) -> DescriptionFile {
        if let file = try SourceLibrary.description(name) { return file }
        do throws(SystemError) {
            return try DescriptionFile(path: name, isNamed: true)
        } catch {
            // A path has a slash or a suffix. Without either it is a misspelt name.
            if !name.contains(where: { $0 == "/" || $0 == "." }) { throw unknown(name) }
            throw ToolFailure(
                .noInput, error.advice(orElse: "--source takes a file or a name of --list-sources"))
        }
    }

    /// Parses a description.
    /// - Parameter name: of the description, for messages.
    /// - Throws: status 65 for one with mistakes, all but the last of which have been reported.
    static func source(
        _ description: DescriptionFile, _ name: String, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> Source {
        do throws(DescriptionError) {
            return try description.source()
        } catch {
            switch error {
            case .syntax(let error, let line, let column):
                throw ToolFailure(.badData, "\(name):\(line):\(column): \(text(error))")
            case .mistakes(let mistakes):
                for mistake in mistakes.dropLast() { diagnostics.error("\(name): \(mistake)") }
                throw ToolFailure(.badData, "\(name): \(mistakes.last ?? "it isn't a source description")")
            }
        }
    }

    static func unknown(_ name: String) -> ToolFailure {
        let nearest = EditDistance.nearest(to: name, among: SourceLibrary.names)
        return ToolFailure(
            .usage,
            "the source '\(name)' is not known; "
                + (nearest.map { "did you mean \($0)?" } ?? "--list-sources lists those that are"))
    }

    private static func text(_ error: JSONError) -> String {
        error.reason == .expectedEnd ? "expected the end of the file after the description" : "\(error)"
    }
}
