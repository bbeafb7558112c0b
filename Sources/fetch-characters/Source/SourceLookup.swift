// What --source names: a built-in description, or a file of the user's.

import PipelineCore
import PipelineHTTP

/// Finds and reads descriptions.
enum SourceLookup {
    /// The maximum size of a description.
    private static let limitBytes = 1 << 20

    /// The bytes of the description of that name, unchecked.
    /// - Throws: status 64 for an unknown name, 66 for a file that can't be read.
    static func description(_ name: String) throws(ToolFailure) -> [UInt8] {
        if let text = builtIn(name) { return Array(text.utf8) }
        do throws(SystemError) {
            return try Descriptor.contents(of: name, limitBytes: limitBytes)
        } catch {
            // A path has a slash or a suffix. Without either it is a misspelt name.
            if !name.contains(where: { $0 == "/" || $0 == "." }) { throw unknown(name) }
            throw ToolFailure(.noInput, error.advice(orElse: "--source takes a file or one of \(names)"))
        }
    }

    /// Parses a description.
    /// - Parameter name: of the description, for messages.
    /// - Throws: status 65 for one with mistakes, all but the last of which have been reported.
    static func source(
        _ description: [UInt8], _ name: String, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> Source {
        do throws(DescriptionError) {
            return try Source(description: description.span)
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

    /// The text of a built-in description.
    static func builtIn(_ name: String) -> String? { BuiltInSource.all.first { $0.name == name }?.description }

    static var names: String { BuiltInSource.all.map(\.name).joined(separator: ", ") }

    static func unknown(_ name: String) -> ToolFailure {
        let nearest = EditDistance.nearest(to: name, among: BuiltInSource.all.map(\.name))
        return ToolFailure(
            .usage,
            "the source '\(name)' is not known; " + (nearest.map { "did you mean \($0)?" } ?? "known are \(names)"))
    }

    private static func text(_ error: JSONError) -> String {
        error.reason == .expectedEnd ? "expected the end of the file after the description" : "\(error)"
    }
}
