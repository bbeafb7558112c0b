// A count as services write it.

import PipelineCore

extension JSONTree {
    /// `120`, `"120"`, and `120.0`, as some languages write it.
    var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let text): Self.wholeNumber(text)
        // `Double` would take hexadecimal digits and names too.
        case .string(let text) where text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }:
            Self.wholeNumber(text)
        default: nil
        }
    }

    private static func wholeNumber(_ text: String) -> Int? {
        Int(text) ?? Double(text).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }
}
