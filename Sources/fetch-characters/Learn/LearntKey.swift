// A key of the request that is learnt from: where it goes, what the copied request has there, and the environment variable
// that holds it from then on.
//
//     -H 'Authorization: Bearer t1'   ──►   {"header": "Authorization", "prefix": "Bearer ", "env": "CARDS_KEY", …}

import PipelineCore
import PipelineHTTP

struct LearntKey: Sendable {
    /// What shows that it is one.
    enum Sign: Sendable {
        case name
        /// Its value alone: it may as well be a position, or an id.
        case shape
        /// The command has a variable there.
        case person
        /// Without it the service refuses the request.
        case refusal
    }

    /// Nil for a user and a password as RFC 7617 has them.
    let placement: Placement?
    var prefix = ""
    var sign = Sign.name
    /// The environment variable that holds it, once it is known.
    var variable: String?
    var text: String?

    var headerName: String? {
        guard let placement else { return "Authorization" }
        return if case .header(let name) = placement { name } else { nil }
    }

    /// What a message calls it.
    var name: String {
        switch placement {
        case nil: "user:password"
        case .body(let steps)?: JSONLocation.path(of: steps, style: .rooted)
        case let placement?: placement.name
        }
    }

    private var word: String {
        guard let placement else { return "LOGIN" }
        return placement.name.lowercased() == "cookie" ? "COOKIE" : "KEY"
    }

    /// Gives each key a variable of its own: `CARDS_KEY`, `CARDS_LOGIN`, `CARDS_COOKIE`.
    static func named(_ keys: [LearntKey], of name: String) -> [LearntKey] {
        let words = keys.map(\.word)
        var taken = Set(keys.compactMap(\.variable))
        return zip(keys, words).map { key, word in
            guard key.variable == nil else { return key }
            let isAlone = words.count { $0 == word } == 1
            let own = isAlone ? word : key.placement?.name ?? word
            let letters = "\(name)_\(own)".uppercased().map {
                $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
            }
            let variable = (name.first?.isNumber == true ? "API_" : "") + String(letters)
            var named = key
            let others = (2...).lazy.map { "\(variable)_\($0)" }
            named.variable = taken.contains(variable) ? others.first { !taken.contains($0) } : variable
            taken.insert(named.variable ?? "")
            return named
        }
    }
}
