// Output on its way to a descriptor, gathered into large blocks.
//
// Only whole records are passed to the system, so however a run ends, its reader or file has whole records, unless
// the system itself cut a block.

package struct OutputBuffer: ~Copyable {
    /// A block is written once it has this size, in bytes: the capacity of a Linux pipe.
    package static let blockSize = 65_536

    /// Nil if the output is kept until it is taken.
    private let descriptor: Descriptor?
    private let isTerminal: Bool
    private let failure: (SystemError) -> ToolFailure
    private var bytes: [UInt8] = []
    package private(set) var bytesWritten = 0

    /// - Parameters:
    ///   - descriptor: nil to keep everything.
    ///   - failure: turns a failed write into the failure that ends the run.
    package init(
        _ descriptor: Descriptor? = nil, failure: @escaping (SystemError) -> ToolFailure = { ToolFailure($0) }
    ) {
        self.descriptor = descriptor
        self.failure = failure
        isTerminal = descriptor?.isTerminal == true
        if descriptor != nil { bytes.reserveCapacity(2 * Self.blockSize) }
    }

    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    package var isEmpty: Bool { bytes.isEmpty }

    package mutating func append(_ more: Span<UInt8>) { bytes.append(more) }

    package mutating func append(_ more: [UInt8]) { bytes += more }

    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes the buffered bytes, and many whole records after them without copying them; a few are just appended.
    package mutating func write(_ records: Span<UInt8>) throws(ToolFailure) {
        guard descriptor != nil, records.count >= Self.blockSize else {
            bytes.append(records)
            return try endRecord()
        }
        try flush()
        try writeNow(records)
        bytesWritten += records.count
    }

    /// Ends a record: writes the block if it is large enough.
    package mutating func endRecord() throws(ToolFailure) {
        if bytes.count >= Self.blockSize { try flush() }
    }

    package mutating func flush() throws(ToolFailure) {
        guard descriptor != nil, !bytes.isEmpty else { return }
        try writeNow(bytes.span)
        bytesWritten += bytes.count
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func close() throws(ToolFailure) {
        try flush()
        do throws(SystemError) { try descriptor?.close() } catch { throw failure(error) }
    }

    private func writeNow(_ block: Span<UInt8>) throws(ToolFailure) {
        guard let descriptor else { return }
        if isTerminal { TerminalLine.makeRoom(on: descriptor) }
        do throws(SystemError) { try descriptor.writeAll(block) } catch { throw failure(error) }
    }
}
