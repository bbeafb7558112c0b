// Decides what stands beside the records of a response: the response without them, which is small where they are many.
//
//     {"info":{"count":2},"data":[{…},{…}],"next":null}     ->     {"info":{"count":2},"data":[],"next":null}

import PipelineCore
import PipelineHTTP

struct PageBeside: Sendable {
    /// What is larger isn't looked at member by member.
    static let limitBytes = 1 << 20

    /// The kinds of values that a response may be.
    enum Kind: String, Sendable {
        case object = "an object"
        case array = "an array"
        case scalar = "a text or a number"
    }

    /// JSON. Empty where the format has nothing beside records.
    private(set) var json: [UInt8] = []
    /// The names that lead to the list, as far as its path consists of names. Nil where the list is the response.
    private(set) var place: [String]?

    init() {}

    /// - Parameters:
    ///   - body: checked.
    ///   - cuts: the parts of it that have records, in order and apart from each other.
    init(of body: Span<UInt8>, without cuts: [Range<Int>], at path: JSONPath) {
        place = path.isWhole ? nil : path.leadingNames.map { $0.span.text }
        var start = 0
        for cut in cuts {
            json.append(body.extracting(start..<cut.lowerBound))
            start = cut.upperBound
        }
        json.append(body.extracting(start...))
    }

    var kind: Kind? {
        switch json.first(where: { !$0.isJSONSpace }) {
        case nil: nil
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        default: .scalar
        }
    }

    /// Null where there is nothing but records, and for what is too large.
    var tree: JSONTree {
        guard place != nil, kind == .object, json.count <= Self.limitBytes else { return .null }
        return (try? JSONTree.read(json.span)) ?? .null
    }

    /// The members that have no members of their own, as far as three levels go.
    var members: [(names: [String], value: JSONTree)] { BesideShape.leaves(of: tree, besides: place ?? []) }

    /// The paths of the members that have a value. What leads to another page of the list, as `previous` does, says nothing.
    /// - Parameter url: of the response.
    func valued(at url: HTTPURL?) -> [String] {
        members.filter { Self.isValue($0.value, of: url) }.map { member in
            JSONLocation.path(of: member.names.map { .name($0) }, style: .rooted)
        }
    }

    private static func isValue(_ value: JSONTree, of url: HTTPURL?) -> Bool {
        switch value {
        case .null, .boolean(false), .string(""): false
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        case .string(let text): !(url?.isPath(of: text) ?? false)
        case .boolean, .integer, .number: true
        }
    }
}

extension HTTPURL {
    /// Whether a text is a URL of this path, absolute or relative, of whatever host.
    fileprivate func isPath(of text: String) -> Bool {
        if text.hasPrefix("?") { return true }
        guard let other = Self.path(of: text) else { return false }
        return other == Self.path(of: self.text)
    }

    /// Without its query. Nil for a text that is neither a URL nor a path from the root.
    private static func path(of text: String) -> Substring? {
        var rest = Substring(text)
        if let mark = text.firstRange(of: "://") {
            rest = rest[mark.upperBound...].drop { $0 != "/" }
        }
        guard rest.first == "/" else { return nil }
        return rest.prefix { $0 != "?" && $0 != "#" }
    }
}
