// Answers that are read while they come: in pieces of any size they give what the reader of whole pages gives.

import PipelineCore
import PipelineHTTP

@testable import fetch_characters

enum StreamCheck {
    private static let sources = [
        #""records":"$""#, #""records":"$.data""#, #""records":{"path":"$.data","key":"id"}"#, #""format":"lines""#,
    ]

    static func check(_ bytes: [UInt8]) throws {
        // A page counts its own levels, a stream those of each record.
        guard !isTooDeep(bytes) else { return }
        for records in sources {
            let text = #"{"name":"t",\#(records),"pagination":{"type":"none"}}"#
            let source = try Source(description: Array(text.utf8).span)
            let whole = page(source, bytes)
            for size in [1, 1 + bytes.count % 7, max(1, bytes.count)] {
                let found = try streamed(source, bytes, size)
                if whole == nil, records.hasSuffix(#""$""#), let found, found.count > 1 {
                    // Objects may follow one another, as if in an array.
                    let array = "[\(found.joined(separator: ","))]"
                    try demand(page(source, Array(array.utf8)) == found, "\(records) by \(size): not objects")
                    continue
                }
                try demand((found == nil) == (whole == nil), "\(records) by \(size): only one is refused")
                try demand(found == whole, "\(records) by \(size): other records")
            }
        }
    }

    private static func isTooDeep(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        for byte in bytes where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        return depth >= JSONReader.depthLimit
    }

    /// The records of a page, nil if it is refused.
    private static func page(_ source: Source, _ bytes: [UInt8]) -> [String]? {
        var reader = PageReader(source)
        do throws(SourcePage.Fault) {
            let page = try reader.read(bytes, HTTPHeaders(), isList: true)
            let text = page.text ?? bytes
            return page.records.map { String(decoding: text[$0.range], as: UTF8.self) }
        } catch {
            return nil
        }
    }

    /// The same of a stream, which may have given some records before.
    private static func streamed(_ source: Source, _ bytes: [UInt8], _ size: Int) throws -> [String]? {
        guard var stream = RecordStream(source) else { throw Finding("no stream") }
        var buffer = PieceBuffer()
        var records: [String] = []
        var isLast = false
        do throws(SourcePage.Fault) {
            while true {
                let used = try stream.take(buffer.text, offset: buffer.offset, isLast: isLast)
                let own = stream.finder.text ?? Array(buffer.text.array)
                records += stream.finder.outline.records.map { String(decoding: own[$0.range], as: UTF8.self) }
                buffer.drop(used)
                guard used == 0, stream.finder.outline.records.isEmpty else { continue }
                if isLast { break }
                let piece = min(size, bytes.count - buffer.bytesRead)
                let next = buffer.bytesRead..<buffer.bytesRead + piece
                do throws(SystemError) { try buffer.append(bytes.span.extracting(next)) } catch {
                    preconditionFailure("\(error)")
                }
                isLast = buffer.bytesRead == bytes.count
            }
            _ = try stream.end()
        } catch {
            return nil
        }
        return records
    }
}
