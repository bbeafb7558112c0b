// Which members of stdin's records --each takes, and where their values go.
//
//     --each id                                {"each": {"parameter": "breed_ids"}}
//     --each owner=$.owner.login --each repo=name   {"each": {"owner": {"path": "owner"}, "repo": {"path": "repo"}}}

import PipelineCore
import PipelineHTTP

/// The values of --each that a run asks for.
struct EachSelection {
    /// In the description's order.
    private(set) var values: [(parameter: Source.Each, path: JSONPath)] = []

    /// - Parameter texts: of the options. Not empty.
    /// - Throws: for a value that the description doesn't name, or that isn't given.
    init(_ texts: [String], _ source: Source) throws(UsageError) {
        guard !source.each.isEmpty else {
            throw UsageError("the description of \(source.name) names no parameter for --each; leave it out")
        }
        var paths: [String: JSONPath] = [:]
        for text in texts {
            let (name, path) = try Self.named(text, source)
            guard paths.updateValue(path, forKey: name) == nil else {
                throw UsageError("--each sets \(name) twice; leave one of them out")
            }
        }
        for parameter in source.each {
            guard let path = paths[parameter.name] else {
                throw UsageError(
                    "\(source.name) needs a member for \(parameter.name); add --each \(parameter.name)=PATH")
            }
            values.append((parameter, path))
        }
    }

    /// Takes apart `NAME=PATH`. A path alone will do where there is one name; it may have a `=` of its own.
    private static func named(_ text: String, _ source: Source) throws(UsageError) -> (String, JSONPath) {
        let names = source.each.map(\.name)
        if let pair = ArgumentValue.pair(text, at: "="), names.contains(pair.name) {
            return (pair.name, try ArgumentValue.path(pair.value, option: "--each"))
        }
        guard names.count == 1 else {
            throw UsageError("--each takes NAME=PATH for \(names.joined(separator: ", ")), not '\(text)'")
        }
        return (names[0], try ArgumentValue.path(text, option: "--each"))
    }
}

/// The values of one record.
struct EachValues {
    /// By parameter, in the description's order.
    let texts: [(parameter: Source.Each, text: String)]

    /// Enough of a value for a message.
    private static let shownCharacters = 100

    /// In messages: `owner pellow, repo lighthouse`.
    var subject: String {
        texts.map { "\($0.parameter.name) \($0.text.prefix(Self.shownCharacters))" }.joined(separator: ", ")
    }

    /// Why nothing is requested with them.
    var refusal: String { "\(subject): . and .. name another place in a path; correct the record" }

    /// Equal for the same values only.
    var key: String {
        texts.count == 1 ? texts[0].text : texts.map { "\($0.text.utf8.count):\($0.text)" }.joined()
    }

    /// As a JSON object.
    var json: String { JSONTree.object(texts.map { ($0.parameter.name, .string($0.text)) }).json }

    /// The requests with the values in their places.
    func set(in requests: SourceRequests) -> SourceRequests {
        texts.reduce(requests) { $0.setting($1.parameter.placement, to: $1.text) }
    }
}
