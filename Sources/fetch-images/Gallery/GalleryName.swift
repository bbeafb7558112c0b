// The name of a record, for readers of the page without its script.

import PipelineCore

/// Finds the member `name`.
enum GalleryName {
    /// - Parameter record: a line that was read before.
    /// - Returns: the text of the last such member; nil if there is none.
    static func text(of record: Span<UInt8>) -> [UInt8]? {
        var name: [UInt8]?
        do throws(JSONError) {
            var reader = JSONReader(record)
            try reader.beginRecord()
            while case .name(let member) = try reader.next() {
                let isName = JSONStringDecoder.equals(record.extracting(member.range), StaticString("name").bytes)
                guard let value = try reader.next() else { break }
                if isName, case .string(let string) = value {
                    var text: [UInt8] = []
                    JSONStringDecoder.append(record.extracting(string.range), to: &text)
                    name = text
                }
                try reader.skipRest(of: value)
            }
        } catch {
            // It was read as a record before.
        }
        return name
    }
}
