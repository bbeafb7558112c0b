// What --input names: a file or, for `-`, stdin. One that is compressed with gzip, as its first bytes say, is inflated.

import PipelineCore
import PipelineHTTP

struct InputAnswer: ~Copyable {
    /// What begins each member of a gzip stream (RFC 1952, section 2.3.1), and no JSON.
    private static let gzipMark: [UInt8] = [0x1F, 0x8B]

    private let descriptor: Descriptor
    /// In bytes, if it is a file.
    let totalBytes: Int?
    /// Bytes that were read, compressed or not.
    private(set) var bytesRead = 0
    /// What was read and isn't inflated, and how.
    private var compressed = PieceBuffer()
    private var inflater: Inflater?
    /// The inflater has more to give without more input.
    private var isUnfinished = false

    /// - Throws: status 66 for a file that can't be read.
    init(_ path: String) throws(ToolFailure) {
        if path == "-" {
            descriptor = .standardInput
        } else {
            descriptor = try ToolFailure.of(
                .noInput, orElse: "--input takes a file, or - for stdin", Descriptor.reading(path))
        }
        totalBytes = descriptor.bytesLeft
        descriptor.widenPipe()
        Descriptor.standardOutput.widenPipe()
    }

    var name: String { descriptor.name }

    var isReady: Bool { isReady(withinMilliseconds: 0) }

    func isReady(withinMilliseconds limit: Int32) -> Bool {
        isUnfinished || descriptor.isReady(toRead: true, withinMilliseconds: limit)
    }

    /// - Returns: false at the end of the response.
    /// - Throws: status 74 if it can't be read, 65 if it is compressed and damaged.
    mutating func read(into buffer: inout PieceBuffer) throws(ToolFailure) -> Bool {
        guard bytesRead > 0 else { return try begin(&buffer) }
        guard let inflater else {
            let count = try ToolFailure.of(buffer.read(descriptor))
            bytesRead += count
            return count > 0
        }
        return try inflate(inflater, into: &buffer)
    }

    private mutating func begin(_ buffer: inout PieceBuffer) throws(ToolFailure) -> Bool {
        while compressed.text.count < Self.gzipMark.count, try ToolFailure.of(compressed.read(descriptor)) > 0 {}
        bytesRead = compressed.bytesRead
        guard compressed.text.extracting(first: 2).equals(Self.gzipMark.span) else {
            // What is compressed otherwise, or another encoding.
            let kind = InputKind(head: compressed.text.extracting(first: 16).array, isWhole: false)
            if let kind, kind.isCertain {
                throw ToolFailure(.badData, kind.verdict(on: name, tool: "fetch-characters --input -"))
            }
            try ToolFailure.of(buffer.append(compressed.text))
            return !compressed.text.isEmpty
        }
        let inflater: Inflater
        do throws(Inflater.Fault) { inflater = try Inflater() } catch { throw failure(error) }
        self.inflater = inflater
        isUnfinished = true
        return try inflate(inflater, into: &buffer)
    }

    private mutating func inflate(_ inflater: Inflater, into buffer: inout PieceBuffer) throws(ToolFailure)
        -> Bool
    {
        var block: [UInt8] = []
        while block.isEmpty {
            if !isUnfinished {
                let count = try ToolFailure.of(compressed.read(descriptor))
                bytesRead += count
                guard count > 0 else {
                    guard inflater.isWhole else { throw ToolFailure(.badData, "\(name) ends early; get it again") }
                    return false
                }
            }
            do throws(Inflater.Fault) {
                let step = try inflater.step(compressed.text, to: &block)
                isUnfinished = step.isUnfinished
                compressed.drop(step.consumed)
            } catch {
                throw failure(error)
            }
        }
        try ToolFailure.of(buffer.append(block.span))
        return true
    }

    private func failure(_ fault: Inflater.Fault) -> ToolFailure {
        switch fault {
        case .damaged: ToolFailure(.badData, "\(name) is compressed and damaged; get it again")
        case .unavailable: ToolFailure(.inputOutput, "zlib gets no memory; allow more (ulimit -v)")
        }
    }
}
