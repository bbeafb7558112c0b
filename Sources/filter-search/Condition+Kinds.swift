// A value is compared only with values of its own kind, which is easily forgotten: ids are often strings.

import PipelineCore

extension Condition.Comparison {
    /// What a path has to find to be compared with the value. Whether anything is null is a question like any other.
    var wanted: UnmatchedPaths.Wanted {
        switch value {
        case .number: .number
        case .text: .string
        case .boolean: .boolean
        case .null: .anything
        }
    }

    /// The same condition for values of this kind, if the value may be meant so.
    func remedy(_ path: String, _ kind: JSONNode.Kind) -> String? {
        switch (value, kind) {
        case (.number(let digits), .string): suggestion(path, "\"\(digits.span.text)\"") + comparesText
        case (.boolean(let isTrue), .string): suggestion(path, "\"\(isTrue)\"")
        case (.text(let text), .number), (.text(let text), .boolean):
            Self.kind(ofJSON: text) == kind ? suggestion(path, text.span.text) : nil
        default: nil
        }
    }

    private func suggestion(_ path: String, _ value: String) -> String {
        "write --where " + ShellWord.quoted("\(path) \(`operator`.rawValue) \(value)")
    }

    private var comparesText: String {
        switch `operator` {
        case .equal, .notEqual: ""
        case .less, .lessOrEqual, .greater, .greaterOrEqual: ", which compares text, character by character"
        }
    }

    /// The kind of a JSON number or word; nil for any other text.
    private static func kind(ofJSON text: [UInt8]) -> JSONNode.Kind? {
        var reader = JSONReader(text.span)
        do throws(JSONError) {
            let token = try reader.next()
            guard try reader.next() == nil else { return nil }
            return switch token {
            case .number: .number
            case .boolean: .boolean
            default: nil
            }
        } catch {
            return nil
        }
    }
}
