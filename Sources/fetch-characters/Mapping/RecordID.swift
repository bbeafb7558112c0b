// What a record is known by: its id, with the JSON type that the service gave it. 1 and "1" are two records, though both are
// written as texts.

import PipelineCore

struct RecordID: Hashable, Sendable {
    let text: [UInt8]
    let isNumber: Bool

    init(_ text: [UInt8], isNumber: Bool = false) { (self.text, self.isNumber) = (text, isNumber) }

    func hash(_ hash: ByteHash) -> UInt64 { Self.hash(text.span, isNumber: isNumber, hash) }

    static func hash(_ text: Span<UInt8>, isNumber: Bool, _ hash: ByteHash) -> UInt64 {
        hash.hash(text) ^ (isNumber ? 0x9E37_79B9_7F4A_7C15 : 0)
    }
}
