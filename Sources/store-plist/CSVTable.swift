// `--load --csv PATHS`: the records as a table, a line of RFC 4180 for each.
//
//     --csv id,films,artist.name
//
//     {"id":1,"films":["Fantasia","Plane \"Crazy\""],"artist":{"name":"Ub"}}    1,"Fantasia; Plane ""Crazy""",Ub
//     {"id":90071992547409931,"artist":{"name":null}}                           90071992547409931,,
//
// A number keeps its digits, and a text its first sign, whatever a spreadsheet makes of `=`, `+`, `-` and `@`: the table has
// what the store has.

import PipelineCore

/// A column: a path, and its name as it was typed.
struct CSVColumn: Sendable {
    let name: String
    let path: JSONPath

    /// Takes `id,films[0],$['a,b']` apart: a comma in brackets is a part of its path.
    static func columns(_ text: String, option: String) throws(UsageError) -> [CSVColumn] {
        var columns: [CSVColumn] = []
        var rest = text
        while true {
            rest = String(rest.drop { $0 == " " })
            guard !rest.isEmpty, rest.first != "," else {
                throw UsageError("\(option) '\(text)': expected a path before and after each comma")
            }
            let (path, end) = try ArgumentValue.pathPrefix(of: rest, option: option)
            guard !path.isWhole else {
                throw UsageError("\(option) takes paths to members such as $.id, not the record")
            }
            let after = end.drop { $0 == " " }
            guard after.isEmpty || after.first == "," else {
                throw UsageError(
                    "\(option) '\(text)': expected a comma before '\(String(after))'")
            }
            let name = rest.unicodeScalars.dropLast(end.count)
            columns.append(CSVColumn(name: String(name), path: path))
            guard !after.isEmpty else { return columns }
            rest = String(after.dropFirst())
        }
    }
}

struct CSVTable: ~Copyable {
    private let columns: [CSVColumn]
    private var evaluators: [JSONPathEvaluator]
    private var watch: UnmatchedPaths
    /// Whether a terminal is written to, where no text of a record may take effect.
    private let isShown = Descriptor.standardOutput.isTerminal
    private var cell: [UInt8] = []
    private var row: [UInt8] = []

    init(_ columns: [CSVColumn]) {
        self.columns = columns
        evaluators = columns.map { JSONPathEvaluator($0.path) }
        watch = UnmatchedPaths(columns.map { ($0.path, .anything) })
    }

    var isEmpty: Bool { columns.isEmpty }

    /// The names of the columns, with a line feed.
    mutating func header() -> [UInt8] {
        row.removeAll(keepingCapacity: true)
        for (index, column) in columns.enumerated() {
            cell = Array(column.name.utf8)
            appendCell(at: index)
        }
        endRow()
        return row
    }

    mutating func append(_ record: Span<UInt8>, to output: inout OutputBuffer) throws(JSONError) {
        if watch.isWatching { watch.look(record) }
        row.removeAll(keepingCapacity: true)
        for index in evaluators.indices {
            try evaluators[index].evaluate(record, isChecked: true)
            cell.removeAll(keepingCapacity: true)
            CSVCell.append(evaluators[index].nodes, of: record, to: &cell)
            appendCell(at: index)
        }
        endRow()
        output.append(row)
    }

    /// A row with nothing on it would be taken for no row.
    private mutating func endRow() {
        if row.isEmpty { row += Array("\"\"".utf8) }
        if isShown { row = Array(Diagnostics.printable(row.span.text).utf8) }
        row.append(0x0A)
    }

    private mutating func appendCell(at index: Int) {
        if index > 0 { row.append(UInt8(ascii: ",")) }
        let isQuoted = cell.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        guard isQuoted else { return row += cell }
        row.append(UInt8(ascii: "\""))
        for byte in cell {
            if byte == UInt8(ascii: "\"") { row.append(byte) }
            row.append(byte)
        }
        row.append(UInt8(ascii: "\""))
    }

    /// What is to be said of the columns that are empty in all rows.
    mutating func warnings() -> [Message] {
        let findings = watch.take()
        return columns.indices.compactMap { findings.message($0, columns[$0].path, origin: ", which --csv names") }
    }
}

/// What a cell has of the values that its path finds.
private enum CSVCell {
    static func append(_ nodes: [JSONNode], of record: Span<UInt8>, to cell: inout [UInt8]) {
        guard let first = nodes.first else { return }
        guard nodes.count == 1 else { return append(list: nodes, of: record, to: &cell) }
        switch first.kind {
        case .null: break
        case .array:
            let list = record.extracting(first.range)
            let elements = elements(of: list)
            if elements.allSatisfy(\.isScalar) {
                append(list: elements, of: list, to: &cell)
            } else {
                cell.append(list)
            }
        case .object, .string, .number, .boolean: append(first, of: record, to: &cell)
        }
    }

    /// Joins scalars. Of a path that finds several objects or arrays these are an array.
    private static func append(list: [JSONNode], of text: Span<UInt8>, to cell: inout [UInt8]) {
        let isJoined = list.allSatisfy(\.isScalar)
        if !isJoined { cell.append(UInt8(ascii: "[")) }
        for (index, node) in list.enumerated() {
            if index > 0 { cell += Array((isJoined ? "; " : ",").utf8) }
            if isJoined { append(node, of: text, to: &cell) } else { cell.append(text.extracting(node.range)) }
        }
        if !isJoined { cell.append(UInt8(ascii: "]")) }
    }

    private static func append(_ node: JSONNode, of text: Span<UInt8>, to cell: inout [UInt8]) {
        guard node.kind == .string else { return cell.append(text.extracting(node.range)) }
        JSONStringDecoder.append(text.extracting(node.content), to: &cell)
    }

    private static func elements(of list: Span<UInt8>) -> [JSONNode] {
        var nodes: [JSONNode] = []
        var reader = JSONReader(list)
        // The list has been checked as a part of its record.
        do throws(JSONError) {
            _ = try reader.next()
            while let token = try reader.next(), token != .endArray {
                let start = reader.tokenStart
                try reader.skipRest(of: token)
                nodes.append(JSONNode(range: start..<reader.position, kind: JSONNode.Kind(firstByte: list[start])))
            }
        } catch {}
        return nodes
    }
}

extension JSONNode {
    fileprivate var isScalar: Bool { kind != .object && kind != .array }
}
