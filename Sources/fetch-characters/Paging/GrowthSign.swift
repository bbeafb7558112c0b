// Whether a response that should have the whole list says that more follow, in the names that services use for it. A list
// that fitted into one response when it was described may have grown since.
//
//     {"data":[…],"next":"https://…?page=2"}    {"items":[…],"paging":{"has_more":true}}    {"value":[…],"nextLink":"…"}

import PipelineCore

enum GrowthSign {
    /// What is deeper is data.
    private static let depthLimit = 4

    /// - Parameters:
    ///   - body: checked JSON.
    ///   - records: the names that lead to the records. Without any, all members are theirs.
    static func isIn(_ body: Span<UInt8>, besides records: [[UInt8]]) -> Bool {
        guard !records.isEmpty else { return false }
        var reader = JSONReader(body)
        var names: [String] = []
        let path = records.map { $0.span.text }
        do throws(JSONError) {
            while let token = try reader.next() {
                guard case .name(let name) = token else { continue }
                names.removeLast(max(0, names.count - reader.depth + 1))
                names.append(body.extracting(name.range).text)
                guard let value = try reader.next() else { return false }
                switch value {
                case .beginObject where names != path && reader.depth <= depthLimit: break
                case .beginObject, .beginArray: try reader.skipRest(of: value)
                case .name, .string, .number, .boolean, .null, .endObject, .endArray:
                    if isSign(names, body.extracting(reader.tokenStart..<reader.position)) { return true }
                }
            }
        } catch {}
        return false
    }

    private static func isSign(_ names: [String], _ value: Span<UInt8>) -> Bool {
        let plain = WellKnownNames.plain(names.last ?? "")
        switch try? JSONTree.read(value) {
        case .boolean(let isTrue)?: return isTrue && WellKnownNames.isMoreFlag(plain)
        case .integer(let number)?: return number > 0 && WellKnownNames.isNext(plain)
        case .string(let text)?:
            // Airtable's cursor is an `offset`.
            let leadsOn =
                WellKnownNames.leadsOn(names) || WellKnownNames[.offset].contains(plain) && Int(text) == nil
            return leadsOn && !["", "0", "-1", "null", "none", "false"].contains(text.lowercased())
        default: return false
        }
    }
}
