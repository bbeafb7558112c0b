// What a tool between a source and its store may leave of a seal, most often jq:
//
//     jq -c '{id, name}'        {"id":null,"name":null}
//     jq -c 'del(."$seal")'     {}
//     jq -c '.seen = true'      {"$seal":{"records":120,"complete":true,"by":"count"},"seen":true}

extension SealClaim {
    /// How a program of jq lets a seal pass.
    package static let jqIdiom = #"jq -c 'if has("$seal") then . else … end'"#

    package static let remainsCure = "let the seal pass as it is: \(jqIdiom)"

    /// Whether a record has no member with a value. As the last line it is what is left of a seal.
    package static func isEmptied(_ line: Span<UInt8>) -> Bool {
        guard endsLikeEmptied(line) else { return false }
        do throws(JSONError) {
            var reader = JSONReader(line)
            try reader.beginRecord()
            while let token = try reader.next() {
                switch token {
                case .name, .null, .endObject: continue
                default: return false
                }
            }
            return true
        } catch {
            return false
        }
    }

    /// Whether the line ends with `{}` or `null}`. Nearly no record does.
    private static func endsLikeEmptied(_ line: Span<UInt8>) -> Bool {
        var end = line.count
        func skipSpace(_ end: inout Int) { while end > 0, line[end - 1].isJSONSpace { end -= 1 } }
        skipSpace(&end)
        guard end > 0, line[end - 1] == UInt8(ascii: "}") else { return false }
        end -= 1
        skipSpace(&end)
        guard end > 0 else { return false }
        return line[end - 1] == UInt8(ascii: "{") || line[end - 1] == UInt8(ascii: "l")
    }

    /// Whether a line that isn't a seal has the member of one, beside others.
    package static func isOverlaid(_ line: Span<UInt8>) -> Bool {
        guard mayBeSeal(line) else { return false }
        do throws(JSONError) {
            var reader = JSONReader(line)
            try reader.beginRecord()
            guard case .name(let name)? = try reader.next() else { return false }
            return name.text(in: line) == "$seal"
        } catch {
            return false
        }
    }
}
