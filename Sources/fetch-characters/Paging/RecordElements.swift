// The values of an answer that become records: the elements of arrays, the members of objects.

import PipelineCore
import PipelineHTTP

/// The values that become records.
struct RecordElements {
    private(set) var ranges: [Range<Int>] = []
    /// The ranges of their names, between the quotes, if they are the members of an object.
    private(set) var names: [Range<Int>] = []
    /// Whether all are objects without names, and so records as they are.
    private(set) var areRecords = true

    mutating func add(_ range: Range<Int>, isObject: Bool) {
        ranges.append(range)
        areRecords = areRecords && isObject
    }

    /// Adds the member of an object.
    mutating func add(_ range: Range<Int>, name: Range<Int>) {
        areRecords = false
        ranges.append(range)
        names.append(name)
    }

    /// - Parameter start: where the array begins in its text.
    mutating func addElements(of array: Span<UInt8>, at start: Int) {
        var reader = JSONReader(array)
        // The text has been checked.
        do throws(JSONError) {
            _ = try reader.next()
            while let token = try reader.next(), token != .endArray {
                let first = reader.tokenStart
                try reader.skipRest(of: token)
                add(start + first..<start + reader.position, isObject: token == .beginObject)
            }
        } catch {}
    }

    /// - Parameter start: where the object begins in its text.
    mutating func addMembers(of object: Span<UInt8>, at start: Int) {
        var reader = JSONReader(object)
        do throws(JSONError) {
            _ = try reader.next()
            while case .name(let name)? = try reader.next(), let token = try reader.next() {
                let first = reader.tokenStart
                try reader.skipRest(of: token)
                add(
                    start + first..<start + reader.position,
                    name: start + name.range.lowerBound..<start + name.range.upperBound)
            }
        } catch {}
    }
}
