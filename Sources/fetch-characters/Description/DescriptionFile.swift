// A description before it is parsed: its bytes, and the directory of the files that it names.

import PipelineCore
import PipelineHTTP

/// The text of a description.
struct DescriptionFile {
    /// The maximum size of a description, and of a file that it names.
    private static let limitBytes = 1 << 20

    let bytes: [UInt8]
    /// Nil for one that is built in.
    private let directory: String?

    init(_ source: BuiltInSource) {
        bytes = Array(source.description.utf8)
        directory = nil
    }

    /// - Parameter isNamed: by the user, who may name a pipe too.
    init(path: String, isNamed: Bool) throws(SystemError) {
        bytes =
            isNamed
            ? try Descriptor.contents(of: path, limitBytes: Self.limitBytes)
            : try Descriptor.contents(ofRegular: path, limitBytes: Self.limitBytes)
        let (prefix, _) = FileLocation.split(path)
        directory = prefix.isEmpty ? "." : prefix
    }

    /// Parses it, with the texts of its files.
    func source() throws(DescriptionError) -> Source {
        try Source(description: bytes.span) { name in directory.flatMap { Self.text("\($0)/\(name)") } }
    }

    private static func text(_ path: String) -> String? {
        do throws(SystemError) {
            return String(
                validating: try Descriptor.contents(ofRegular: path, limitBytes: limitBytes), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
