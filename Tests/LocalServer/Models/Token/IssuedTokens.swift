// The tokens that the model has given, and what is left of each.

import PipelineCore

/// What the service knows of its tokens.
struct IssuedTokens {
    struct Token {
        let access: String
        /// The refresh token that comes with it.
        let refresh: String?
    }

    /// A token that is accepted.
    private struct Access {
        var usesLeft: Int
        let endSeconds: Double
        /// The refresh token that it came with.
        let refresh: String?
    }

    private var count = 0
    private var accesses: [String: Access] = [:]
    /// The first refresh tokens that were rotated, and those that were given since: what each was exchanged for.
    private var successors: [String: Token] = [:]
    private var given: Set<String> = []
    /// Refresh tokens that somebody has seen, as the token that came with them was used, or they themselves.
    private var confirmed: Set<String> = []

    mutating func issue(_ scope: String, refresh: String?) -> Token {
        count += 1
        // With signs that have to be encoded in a query and a form.
        let token = Token(access: "tok3n-\(count)+/\(count * 7919)==", refresh: refresh)
        accesses[token.access] = Access(
            usesLeft: Self.number("uses-", scope) ?? .max,
            endSeconds: MonotonicClock.seconds + Double(Self.number("seconds-", scope) ?? 3600), refresh: refresh)
        return token
    }

    /// Exchanges a refresh token. Nil for one that is unknown or spent.
    mutating func rotate(_ refresh: String, _ scope: String) -> Token? {
        guard refresh.hasPrefix("live_") || given.contains(refresh) else { return nil }
        confirmed.insert(refresh)
        if let successor = successors[refresh] {
            let isSeen = successor.refresh.map { confirmed.contains($0) } ?? true
            return scope.contains("patient") && !isSeen ? successor : nil
        }
        let next = "refr3sh-\(count + 1)+/=&"
        given.insert(next)
        let token = issue(scope, refresh: next)
        successors[refresh] = token
        return token
    }

    /// Whether a token is accepted, once more.
    mutating func use(_ access: String) -> Bool {
        guard var found = accesses[access], found.usesLeft > 0, found.endSeconds > MonotonicClock.seconds else {
            return false
        }
        if let refresh = found.refresh { confirmed.insert(refresh) }
        found.usesLeft -= 1
        accesses[access] = found
        return true
    }

    /// The number behind a word of the scope.
    static func number(_ word: String, _ scope: String) -> Int? {
        scope.split(separator: " ").first { $0.hasPrefix(word) }.flatMap { Int($0.dropFirst(word.count)) }
    }
}
