// The records of an answer that comes in pieces.

import PipelineCore
import PipelineHTTP

extension RecordFinder {
    /// Finds the records in a part of an answer.
    /// - Parameters:
    ///   - text: begins where the last call stopped.
    ///   - stream: what is known of the answer.
    ///   - isLast: nothing follows the text.
    /// - Returns: how much of the text was used.
    /// - Throws: what is wrong, unless there are records before it: then the next call throws it.
    mutating func take(
        _ text: Span<UInt8>, _ stream: inout ElementStream, isLast: Bool
    ) throws(ElementStream.Fault) -> Int {
        var index = 0
        var others = RecordElements()
        do throws(ElementStream.Fault) {
            while try stream.reachElement(text, &index, isLast: isLast) {
                if others.ranges.isEmpty { stream.takeRecords(text, &index, &outline) }
                guard try stream.reachElement(text, &index, isLast: isLast) else { break }
                guard try takeOne(text, &stream, &index, &others, isLast: isLast) else { break }
            }
        } catch {
            guard !outline.records.isEmpty || !others.ranges.isEmpty else { throw error }
        }
        guard !others.ranges.isEmpty else { return index }
        do throws(SourcePage.Fault) { try take(others, of: text) } catch {
            throw .tooLarge(limitBytes: RecordOutline.limitBytes)
        }
        return index
    }

    /// Takes an element that isn't a whole object.
    /// - Returns: false if more of the text is needed, or it isn't a record as those before it are.
    private mutating func takeOne(
        _ text: Span<UInt8>, _ stream: inout ElementStream, _ index: inout Int, _ others: inout RecordElements,
        isLast: Bool
    ) throws(ElementStream.Fault) -> Bool {
        let isRecord = text[index] == UInt8(ascii: "{")
        guard isRecord || outline.records.isEmpty,
            let element = try stream.takeElement(text, &index, isLast: isLast)
        else { return false }
        if text[element.value.lowerBound] == UInt8(ascii: "[") {
            do throws(SourcePage.Fault) { try Self.checkDepth(text.extracting(element.value)) } catch {
                throw .malformed(JSONError(.tooDeep, at: element.value.lowerBound))
            }
        }
        if let name = element.name {
            others.add(element.value, name: name)
        } else if isRecord, others.ranges.isEmpty {
            outline.add(element.value, of: text)
        } else {
            others.add(element.value, isObject: isRecord)
        }
        return true
    }
}
