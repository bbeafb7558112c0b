// A key or a token of a request. A placeholder stands for it until the request is sent, so whatever else handles the
// request can't reveal it: messages, plans, caches, recordings.
//
//     Authorization: Bearer castline-CAT_API_KEY-key      as sent: Authorization: Bearer live_…

import PipelineCore
import Synchronization

/// A text that only the service it belongs to gets to see.
package final class HTTPSecret: Sendable {
    /// The text at some time.
    package struct Value: Sendable {
        package let text: String
        /// Other texts that reveal it, such as a password that it encodes.
        package let parts: [String]
        /// When to renew it, in seconds since 1970. Nil for one that lasts.
        package let renewalSeconds: Double?

        package init(_ text: String, parts: [String] = [], renewalSeconds: Double? = nil) {
            self.text = text
            self.parts = parts
            self.renewalSeconds = renewalSeconds
        }
    }

    /// Gets a text.
    /// - Parameter refused: the text that the service has refused, if one was.
    package typealias Provider = @Sendable (_ refused: String?) throws(HTTPFailure) -> Value

    private struct State {
        var value: Value?
        /// How many texts there were.
        var number = 0
        /// All texts of this run, and their parts.
        var hidden: [SecretText] = []
        /// Why the text couldn't be obtained. There is no second attempt.
        var failure: HTTPFailure?

        mutating func take(_ value: Value) {
            self.value = value
            number += 1
            hidden += ([value.text] + value.parts).compactMap { SecretText($0) }
        }
    }

    /// Unreserved characters only, which mean themselves in every encoding. None is part of another.
    package let placeholder: String
    /// How a shell refers to it, inside double quotes: `$CAT_API_KEY`.
    package let shellText: String
    /// Differs between users: one must not get the other's responses from the cache.
    let identity: String
    private let provider: Provider?
    private let state: Mutex<State>

    /// A key.
    /// - Parameters:
    ///   - name: of the environment variable that holds it.
    ///   - value: nil if the key isn't known, and nothing is sent.
    package init(key name: String, _ value: Value?, shellText: String) {
        placeholder = Self.placeholder(key: name)
        identity = value?.text ?? ""
        self.shellText = shellText
        provider = nil
        var state = State()
        if let value { state.take(value) }
        self.state = Mutex(state)
    }

    /// A token, which is obtained when it is first needed.
    package init(tokenOf identity: String, shellText: String, _ provider: @escaping Provider) {
        placeholder = "castline-access-token"
        self.identity = identity
        self.shellText = shellText
        self.provider = provider
        state = Mutex(State())
    }

    /// What stands for the key of a variable.
    package static func placeholder(key name: String) -> String { "castline-\(name)-key" }

    /// The current text.
    package var text: String? { state.withLock(\.value)?.text }

    /// A new text can take the place of a refused one.
    package var isRenewable: Bool { provider != nil }

    /// The number of the current text.
    var number: Int { state.withLock(\.number) }

    /// Every text that must not be written to a file.
    package var hidden: [SecretText] { state.withLock(\.hidden) }

    /// Makes sure that there is a text, and that it is valid for a while.
    func prepare() throws(HTTPFailure) {
        guard let provider else { return }
        let (value, failure) = state.withLock { ($0.value, $0.failure) }
        if let failure { throw failure }
        if let value, value.renewalSeconds.map({ WallClock.epochSeconds < $0 }) ?? true { return }
        try obtain(from: provider, refused: nil)
    }

    /// Replaces a text that the service has refused, unless that was done already.
    /// - Parameter number: of the refused text.
    package func renew(after number: Int) throws(HTTPFailure) {
        guard let provider else { return }
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        guard state.number == number else { return }
        try obtain(from: provider, refused: state.value?.text)
    }

    private func obtain(from provider: Provider, refused: String?) throws(HTTPFailure) {
        do throws(HTTPFailure) {
            let value = try provider(refused)
            state.withLock { $0.take(value) }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    // MARK: Sending

    /// How the text is written in its place.
    enum Encoding {
        case plain
        case percent
        /// Inside a JSON string.
        case json
    }

    /// Puts the text in its place.
    func reveal(in text: String, _ encoding: Encoding) -> String {
        guard let value = state.withLock(\.value), text.contains(placeholder) else { return text }
        return text.replacing(placeholder, with: Self.encoded(value.text, encoding))
    }

    private static func encoded(_ text: String, _ encoding: Encoding) -> String {
        switch encoding {
        case .plain: return text
        case .percent: return HTTPURL.percentEncoded(text)
        case .json:
            var quoted: [UInt8] = []
            JSONWriter.appendString(text, to: &quoted)
            return quoted.span.extracting(1..<quoted.count - 1).text
        }
    }
}

extension HTTPSecret: Equatable {
    package static func == (left: HTTPSecret, right: HTTPSecret) -> Bool { left === right }
}
