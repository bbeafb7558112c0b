// A record on its way through: its line without the members that are to be added, and the place where they go.
//
//     {"name":"Mick","imageFile":{"status":"failed"},"id":1}
//     {"name":"Mick","id":1|}          | the place
//     {"name":"Mick","id":1,"imageFile":{"status":"fetched",…}}

import PipelineCore

/// A line of the input that is a record.
package struct ImageRecord: Sendable {
    /// The line without its LF, and without earlier members of the names that are added.
    package let line: [UInt8]
    /// The place of the record's closing brace in the line.
    let brace: Int
    /// Whether a member stands before the brace.
    let hasMembers: Bool
    /// What stands where the picture's URL is looked for, white space around it left out; nil where no text is there.
    package let url: String?
    /// What the members hold that `--name` asks for: a text, or a number as it is written.
    package let labels: [String?]

    /// The line with the member at its end.
    /// - Parameter member: name, colon and value.
    package func adding(_ member: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count + member.count + 2)
        bytes.append(line.span.extracting(..<brace))
        if hasMembers { bytes.append(UInt8(ascii: ",")) }
        bytes.append(member)
        bytes.append(line.span.extracting(brace...))
        return bytes
    }
}
