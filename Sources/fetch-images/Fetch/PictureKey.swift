// The key of the service that has the pictures: `--key header:X-Api-Key=MUSEUM_KEY`. URLs come from other people's data, so
// the key belongs to one origin, that of the first URL, and no redirect takes it elsewhere.

import PipelineCore
import PipelineHTTP

/// What `--key` says.
struct PictureKeyPlace: Sendable {
    enum Place: Sendable {
        case header(String)
        case query(String)
    }

    let place: Place
    /// Nil where only `--key-file` has the key.
    let variable: String?

    /// Fields that the client sets itself, and those that would change what is fetched.
    private static let ownFields = [
        "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Expect", "Host", "If-Match",
        "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Keep-Alive", "Proxy-Connection",
        "Range", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent",
    ]

    /// - Throws: without the text, as somebody may have written the key itself there.
    init(_ text: String) throws(UsageError) {
        let parts = ArgumentValue.pair(text, at: ":")
        let named = parts.flatMap { ArgumentValue.pair($0.value, at: "=") }
        let name = named?.name ?? parts?.value ?? ""
        variable = named?.value
        guard !name.isEmpty else { throw Self.mistake }
        switch parts?.name {
        case "header":
            guard !HTTPHeaders.isOne(name, of: Self.ownFields) else {
                throw UsageError("--key takes no \(name), which the client sets itself; name the field of the key")
            }
            guard HTTPRequest.isFieldName(name) else { throw Self.mistake }
            place = .header(name)
        case "query": place = .query(name)
        default: throw Self.mistake
        }
        if let variable, !Self.isVariable(variable) { throw Self.mistake }
    }

    private static let mistake = UsageError(
        "--key takes header:NAME=VARIABLE or query:NAME=VARIABLE; VARIABLE is the environment variable that holds the key"
    )

    private static func isVariable(_ name: String) -> Bool {
        let isWord = name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
        return isWord && name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
    }

    var isHeader: Bool { if case .header = place { true } else { false } }

    /// How messages call the variable. One that isn't written as variables usually are may be the key itself.
    var shownVariable: String {
        let isUsual = variable?.utf8.allSatisfy { !(0x61...0x7A).contains($0) } ?? false
        return isUsual ? "the environment variable \(variable ?? "")" : "the environment variable that --key names"
    }
}

struct PictureKey {
    private let place: PictureKeyPlace
    private let secret: HTTPSecret
    /// The scheme, host and port of the first URL; nil before it.
    private var origin: String?

    /// Nil if the settings name none.
    /// - Throws: status 66 for a file that can't be read, 77 for a key that is missing or invalid.
    init?(_ settings: ImagesSettings) throws(ToolFailure) {
        guard let place = settings.key else { return nil }
        self.place = place
        let file = settings.keyFile
        let text: String? =
            if let file { try KeyText.ofFile(file) } else { place.variable.flatMap(KeyText.ofVariable) }
        // A recording has the responses, and no request needs the key.
        guard text != nil || settings.client.replayPath != nil else {
            throw ToolFailure(.refused, "\(place.shownVariable) isn't set; set it, or name a file with --key-file")
        }
        var value: HTTPSecret.Value?
        if let text {
            value = KeyText.value(text, isHeader: place.isHeader)
            guard value != nil else {
                let holder = file ?? place.shownVariable
                throw ToolFailure(.refused, "\(holder) holds no \(KeyText.demand(isHeader: place.isHeader))")
            }
        }
        secret = HTTPSecret(key: "picture", value, shellText: "")
    }

    /// Binds the key to the origin of the first URL.
    /// - Returns: what to tell about it; nil for all later URLs.
    mutating func bind(to url: HTTPURL) -> Message? {
        guard origin == nil else { return nil }
        origin = url.origin.lowercased()
        return "the key goes to \(url.origin) alone, the first picture's address"
    }

    private func isFor(_ url: HTTPURL) -> Bool { url.origin.lowercased() == origin }

    /// The URL without a parameter that the key is going to be.
    func stripped(_ url: HTTPURL) -> HTTPURL {
        guard case .query(let name) = place.place, isFor(url) else { return url }
        // What is left of a URL is one.
        do throws(HTTPFailure) { return try url.removing(HTTPURL.percentEncoded(name)) } catch { return url }
    }

    func add(to request: inout HTTPRequest) throws(HTTPFailure) {
        guard isFor(request.url) else { return }
        request.add(secret)
        switch place.place {
        case .header(let name): try request.add(name, secret.placeholder, isSecret: true)
        case .query(let name):
            request.addSecretParameter(name, secret.placeholder)
            request.keyParameters = [HTTPURL.percentEncoded(name)]
        }
    }

    /// With asterisks where the text has the key: a record's URL may hold it, and what a service says. A short key may stand in a
    /// text by chance, and asterisks would tell what it is.
    func hiding(_ text: String) -> String {
        let texts = secret.hidden.filter(\.isLong)
        guard texts.contains(where: { $0.stands(in: text.utf8Bytes.span) }) else { return text }
        var bytes = Array(text.utf8)
        for hidden in texts { hidden.hide(in: &bytes) }
        return bytes.span.text
    }
}
