// The JSONPath engine: the first line is a path, the rest the document.

import PipelineCore
import TestSupport

enum PathCheck {
    /// Enough for what a check's documents hold, and soon over.
    private static let stepLimit = 200_000

    static func check(_ bytes: [UInt8]) throws {
        let input = InputText(bytes)
        let plain = PlainPath(input.head)
        let path: JSONPath
        do throws(JSONPathError) {
            path = try JSONPath(input.head)
        } catch {
            try demand(plain == nil || error.reason == .tooManySegments, "refused '\(input.head)': \(error)")
            let count = input.head.unicodeScalars.count
            try demand((0...count).contains(error.offset), "a fault at \(error.offset) of '\(input.head)'")
            return
        }
        try isItsOwnPrefix(path)
        try apply(path, plain, to: input.rest)
    }

    private static func isItsOwnPrefix(_ path: JSONPath) throws {
        let prefix = try JSONPath.prefix(of: path.text)
        try demand(prefix.rest.isEmpty && prefix.path.text == path.text, "the path ends at '\(prefix.rest)'")
    }

    private static func apply(_ path: JSONPath, _ plain: PlainPath?, to document: [UInt8]) throws {
        let (nodes, error) = evaluate(path, document, isChecked: false, limit: .max)
        let tree: PlainJSON
        do throws(PlainJSON.Fault) {
            tree = try PlainJSON.read(document)
        } catch {
            // On what isn't JSON anything may be found, but it ends, and looks nowhere else.
            try demand(nodes == nil, "nodes in what isn't JSON")
            let found = evaluate(path, document, isChecked: true, limit: .max).nodes ?? []
            return try demand(
                found.allSatisfy { $0.range.upperBound <= document.count }, "a node outside of the document")
        }
        guard let nodes else {
            return try demand(error?.reason == .tooMuchForPath, "refused the document: \(error?.description ?? "")")
        }
        let checked = evaluate(path, document, isChecked: true, limit: .max).nodes
        try demand(checked == nodes, "other nodes where the document has been checked")
        try areFirst(path, document, nodes)
        try areValues(nodes, tree)
        if let plain, let expected = plain.nodes(in: tree) {
            let ranges = nodes.map(\.range)
            try demand(ranges == expected.map(\.range), "\(path.text): \(ranges), not \(expected.map(\.range))")
        }
        for node in nodes.prefix(3) { try hasPath(node, document) }
    }

    private static func evaluate(
        _ path: JSONPath, _ document: [UInt8], isChecked: Bool, limit: Int
    ) -> (nodes: [JSONNode]?, error: JSONError?) {
        var evaluator = JSONPathEvaluator(path, stepLimit: stepLimit)
        do throws(JSONError) {
            try evaluator.evaluate(document.span, isChecked: isChecked, limit: limit)
            return (evaluator.nodes, nil)
        } catch {
            return (nil, error)
        }
    }

    /// With a limit the same nodes come, only fewer.
    private static func areFirst(_ path: JSONPath, _ document: [UInt8], _ nodes: [JSONNode]) throws {
        for limit in [1, 2] {
            let some = evaluate(path, document, isChecked: true, limit: limit).nodes
            try demand(some == Array(nodes.prefix(limit)), "other nodes where \(limit) is enough")
        }
    }

    /// Each node is a value of the document, of its kind.
    private static func areValues(_ nodes: [JSONNode], _ tree: PlainJSON) throws {
        var kinds: [Range<Int>: JSONNode.Kind] = [:]
        note(tree, &kinds)
        for node in nodes {
            try demand(kinds[node.range] == node.kind, "a \(node.kind) at \(node.range), where none is")
        }
    }

    private static func note(_ tree: PlainJSON, _ kinds: inout [Range<Int>: JSONNode.Kind]) {
        let isNameBehindName = tree.kind == .object
        kinds[tree.range] =
            switch tree.kind {
            case .object: .object
            case .array: .array
            case .string: .string
            case .number: .number
            case .boolean: .boolean
            case .null: .null
            }
        for (place, child) in tree.children.enumerated() where !isNameBehindName || !place.isMultiple(of: 2) {
            note(child, &kinds)
        }
    }

    /// The path that is told for a node finds it.
    private static func hasPath(_ node: JSONNode, _ document: [UInt8]) throws {
        for style in [JSONLocation.Style.normalized, .short] {
            let text = JSONLocation.path(toPart: node.range.lowerBound, in: document.span, style: style)
            let path: JSONPath
            do throws(JSONPathError) {
                path = try JSONPath(text)
            } catch {
                throw Finding("the path '\(text)' can't be read back: \(error)")
            }
            try demand(path.isSingular, "'\(text)' isn't singular")
            let (found, error) = evaluate(path, document, isChecked: true, limit: .max)
            let isFound = found?.contains(node) ?? (error?.reason == .tooMuchForPath)
            try demand(isFound, "'\(text)' doesn't lead to the node at \(node.range)")
        }
    }
}
