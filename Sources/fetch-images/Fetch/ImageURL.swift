// What a record's URL asks for: something to fetch, the picture itself, or nothing that this tool fetches.

package import PipelineHTTP

/// A URL from untrusted data.
package enum ImageURL: Equatable, Sendable {
    case http(HTTPURL)
    /// A `data` URL, which holds the picture.
    case data
    case refused(HTTPFailure)

    /// No service accepts a longer URL, and parsing one takes many times its bytes.
    private static let limitBytes = 1 << 20

    /// - Parameter base: for relative references.
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
                guard Self.hasScheme(text) else {
                    throw HTTPFailure(.invalidRequest("a relative URL, and no --base-url to complete it"))
                }
                self = .http(try HTTPURL(text))
            }
        } catch {
            self = .refused(error)
        }
    }

    /// RFC 3986, section 3.1.
    private static func hasScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x41...0x5A).contains(first & 0xDF),
            let end = text.utf8.firstIndex(where: { ":/?#".utf8.contains($0) })
        else { return false }
        return text.utf8[end] == UInt8(ascii: ":")
    }
}
