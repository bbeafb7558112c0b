// A record on its way through: its line without the members to be added, and the position where they go.
//
//     {"name":"Mick","imageFile":{"status":"failed"},"id":1}
//     {"name":"Mick","id":1|}          | the position
//     {"name":"Mick","id":1,"imageFile":{"status":"ok",…}}

package import PipelineCore

/// A line without its LF, to which members can be added.
struct InsertableLine: Sendable {
    let bytes: [UInt8]
    /// The index of the record's closing brace.
    let brace: Int
    /// Whether the record has other members, so that a comma is needed.
    let hasMembers: Bool

    func write(adding member: Span<UInt8>, to output: inout OutputBuffer) {
        output.append(bytes.span.extracting(..<brace))
        if hasMembers { output.append(UInt8(ascii: ",")) }
        output.append(member)
        output.append(bytes.span.extracting(brace...))
    }
}

/// A line of the input that is a record.
package struct ImageRecord: Sendable {
    /// Without existing members of the name that every record gets.
    let line: InsertableLine
    /// Without existing picture data either; nil if there are none or records don't get any.
    let lineWithoutData: InsertableLine?
    /// The text where the picture's URL is expected, without white space around it; nil if there is none.
    package private(set) var url: String?
    /// The values of the members in `--name`: a text, or a number as it is written.
    package let labels: [String?]

    /// Writes the line with members added at its end.
    /// - Parameters:
    ///   - member: name, colon and value; several are separated by commas.
    ///   - hasData: whether the picture itself is among them, replacing existing data.
    package func write(adding member: Span<UInt8>, hasData: Bool = false, to output: inout OutputBuffer) {
        let line = hasData ? lineWithoutData ?? line : line
        line.write(adding: member, to: &output)
    }

    /// The line with members added at its end.
    package func adding(_ member: Span<UInt8>, hasData: Bool = false) -> [UInt8] {
        var text = OutputBuffer()
        write(adding: member, hasData: hasData, to: &text)
        return text.take()
    }

    /// Gives the URL away: a data URL is as long as the line, and isn't needed again.
    mutating func takeURL() -> String? { url.take() }

    /// Its size in memory.
    var byteCount: Int {
        line.bytes.count + (lineWithoutData?.bytes.count ?? 0) + labels.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
