// What a record's URL asks for: something to fetch, the picture itself, or nothing that this tool fetches.

import PipelineCore
package import PipelineHTTP

package enum ImageURL: Equatable, Sendable {
    case http(HTTPURL)
    case data
    case refused(HTTPFailure)

    /// No service accepts a longer URL, and parsing one takes many times its bytes.
    private static let limitBytes = 1 << 20

    package init(_ whole: String, base: HTTPURL?) {
        // A fragment is never sent: it names a part of what is fetched.
        let text = whole.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(whole[..<$0]) } ?? whole
        if text.utf8.prefix(5).elementsEqual("data:".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
            self = .data
            return
        }
        do throws(HTTPFailure) {
            guard text.utf8.count <= Self.limitBytes else {
                throw HTTPFailure(.invalidRequest("a URL of more than \(Self.limitBytes) bytes"))
            }
            if let base {
                self = .http(try base.resolving(text))
            } else {
                guard HTTPURL.scheme(of: text) != nil else {
                    throw HTTPFailure(.invalidRequest("a relative URL, and no --base-url that completes it"))
                }
                self = .http(try HTTPURL(text))
            }
        } catch {
            self = .refused(error)
        }
    }
}

extension ImageURL {
    /// Equal for two texts that ask for the same.
    func identity(of text: String) -> String {
        if case .http(let url) = self { url.text } else { text }
    }
}

/// URLs that contain their own content (RFC 2397, read as in the WHATWG Fetch standard).
///
///     data:image/png;base64,iVBORw0KGgo=        data:image/svg+xml,%3Csvg%20xmlns=…%3E
package enum DataURL {
    /// - Returns: nil if there is no comma, or if what should be base64 isn't.
    package static func content(_ url: String) -> [UInt8]? {
        let utf8 = url.utf8Bytes
        let bytes = utf8.span
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let end = bytes.firstIndex(of: UInt8(ascii: "#"), from: comma) ?? bytes.count
        let content = HTTPURL.percentDecoded(bytes.extracting(comma + 1..<end))
        // The last parameter may be in any case and with spaces around it.
        let header = bytes.extracting(..<comma).array
        let last = header.lastIndex(of: UInt8(ascii: ";")).map { header[($0 + 1)...].trimmed { $0 == 0x20 } }
        let isBase64 = last.map { String(decoding: $0, as: UTF8.self).lowercased() } == "base64"
        return isBase64 ? Base64.decoded(content.span) : content
    }
}
