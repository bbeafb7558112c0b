// How a record is written: as it came, but for what a terminal needs.
//
//     a pipe or a file      the bytes alone
//     --color               what was found is bold and red, as in ripgrep; without the colour, the same bytes
//     --color, a terminal   the names of members are dim
//     a terminal            controls that JSON lets stand in a string (DEL, C1) are escapes, so that none takes effect

package struct RecordDisplay: Sendable {
    package let paints: Bool
    private let dimsNames: Bool
    private let escapesControls: Bool

    package static var colours: [[UInt8]] { [bold, dim, end] }
    private static let bold = Array("\u{1B}[0m\u{1B}[1m\u{1B}[31m".utf8)
    private static let dim = Array("\u{1B}[2m".utf8)
    private static let end = Array("\u{1B}[0m".utf8)

    /// - Parameter showsFinds: whether what was found is shown, if colours are.
    package init(isColoured: Bool = TerminalMode.auto.hasColour, showsFinds: Bool = false) {
        escapesControls = Descriptor.standardOutput.isTerminal
        paints = isColoured && showsFinds
        dimsNames = isColoured && escapesControls
    }

    /// Whether every record is written as it came.
    package var isPlain: Bool { !paints && !escapesControls }

    /// Appends the record, with what was found in it, in any order, and a line feed.
    package func append(_ record: Span<UInt8>, _ finds: [Range<Int>], to output: inout [UInt8]) {
        let found = (paints ? finds.merged : []).map { (range: $0, colour: Self.bold) }
        // Names are never searched, so the two don't overlap.
        let names = (dimsNames ? Self.names(in: record) : []).map { (range: $0, colour: Self.dim) }
        var position = 0
        for (range, colour) in (found + names).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            append(record.extracting(position..<range.lowerBound), to: &output)
            output += colour
            append(record.extracting(range), to: &output)
            output += Self.end
            position = range.upperBound
        }
        append(record.extracting(position...), to: &output)
        output.append(0x0A)
    }

    /// Where a record's own names of members are, with their quotes; as far as it is valid.
    private static func names(in record: Span<UInt8>) -> [Range<Int>] {
        var members: [JSONMember] = []
        do throws(JSONError) { try RecordOutline.read(record, &members) } catch {}
        return members.map { $0.nameRange.lowerBound - 1..<$0.nameRange.upperBound + 1 }
    }

    package func shown(lines: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var reader = FieldReader(lines)
        while let line = reader.line() { append(lines.extracting(line), [], to: &output) }
        return output
    }

    package func shown(seal line: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        append(line.span, to: &output)
        return output
    }

    private func append(_ part: Span<UInt8>, to output: inout [UInt8]) {
        guard escapesControls else { return output.append(part) }
        var start = 0
        for index in part.indices {
            // U+0080 to U+009F are C2 80 to C2 9F. The CR of a line end is before the LF.
            let isDelete = part[index] == 0x7F
            let isC1 = part[index] == 0xC2 && index + 1 < part.count && part[index + 1] < 0xA0
            guard isDelete || isC1 else { continue }
            output.append(part.extracting(start..<index))
            let code = isDelete ? part[index] : part[index + 1]
            output += "\\u00\(String(code, radix: 16))".utf8
            start = index + (isDelete ? 1 : 2)
        }
        output.append(part.extracting(start...))
    }
}

extension OutputBuffer {
    /// Appends a record and a line feed, as the display writes them.
    /// - Parameter finds: what was found in it.
    package mutating func append(_ record: Span<UInt8>, _ finds: [Range<Int>] = [], as display: RecordDisplay) {
        guard !display.isPlain else {
            append(record)
            return append(0x0A)
        }
        var shown: [UInt8] = []
        display.append(record, finds, to: &shown)
        append(shown)
    }
}

extension [Range<Int>] {
    /// The ranges in ascending order, those that overlap or touch in one, and none empty.
    package var merged: [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
        where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

extension TerminalMode {
    /// By itself if stdout is a terminal, and neither NO_COLOR nor TERM speaks against it.
    package var hasColour: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            Descriptor.standardOutput.isTerminal && Terminal.canErase
                && (Environment.value("NO_COLOR") ?? "").isEmpty
        }
    }
}
