// An object that is written member by member.

import PipelineCore

/// The text of a JSON object.
struct JSONObjectText {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// The whole object.
    var text: [UInt8] { bytes + [UInt8(ascii: "}")] }

    mutating func add(_ name: String, _ value: String) {
        begin(name)
        JSONWriter.appendString(value, to: &bytes)
    }

    mutating func add(_ name: String, _ value: Int) {
        begin(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONWriter.appendString(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
