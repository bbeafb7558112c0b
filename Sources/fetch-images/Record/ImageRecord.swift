// A record on its way through: its line without the members that are to be added, and the place where they go.
//
//     {"name":"Mick","imageFile":{"status":"failed"},"id":1}
//     {"name":"Mick","id":1|}          | the place
//     {"name":"Mick","id":1,"imageFile":{"status":"fetched",…}}

package import PipelineCore

/// A line without its LF that more members can be added to.
struct InsertableLine: Sendable {
    let bytes: [UInt8]
    /// The place of the record's closing brace.
    let brace: Int
    /// Whether a member stands before the brace.
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
    /// Without earlier members of the name that every record gets.
    let line: InsertableLine
    /// Without earlier data of a picture either, where there are such and a record may get other ones.
    let lineWithoutData: InsertableLine?
    /// What stands where the picture's URL is looked for, white space around it left out; nil where no text is there.
    package private(set) var url: String?
    /// What the members hold that `--name` asks for: a text, or a number as it is written.
    package let labels: [String?]

    /// Writes the line with the member at its end.
    /// - Parameters:
    ///   - member: name, colon and value; several with commas between them,
    ///   - hasData: the picture itself is among them, and earlier data give way.
    package func write(adding member: Span<UInt8>, hasData: Bool = false, to output: inout OutputBuffer) {
        let line = hasData ? lineWithoutData ?? line : line
        line.write(adding: member, to: &output)
    }

    /// The line with the member at its end.
    package func adding(_ member: Span<UInt8>, hasData: Bool = false) -> [UInt8] {
        var text = OutputBuffer()
        write(adding: member, hasData: hasData, to: &text)
        return text.take()
    }

    /// Gives the URL away: one that holds its picture is as long as the line, and isn't needed again.
    mutating func takeURL() -> String? { url.take() }

    /// What it takes in memory.
    var byteCount: Int {
        line.bytes.count + (lineWithoutData?.bytes.count ?? 0) + labels.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
