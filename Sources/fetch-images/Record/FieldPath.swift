// Where a record has its URL: the names of members, one inside the other.
//
//     image.url    {"image":{"url":"https://…"}}

package import PipelineCore

/// A path of names, written with dots between them.
package struct FieldPath: Equatable, Sendable {
    /// In UTF-8, the outermost first.
    let names: [[UInt8]]

    /// Where records of the known services have their pictures.
    package static let usual = ["imageURL", "imageUrl", "image.url", "image", "url"].map { FieldPath(plain: $0) }

    /// - Throws: for what is no plain path: `$.image.url` and `image.url` are, `images[0]` isn't.
    package init(_ text: String, option: String = "--field") throws(UsageError) {
        let plain = text.hasPrefix("$.") ? text.dropFirst(2) : text[...]
        let names = plain.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = names.allSatisfy { name in !name.isEmpty && !name.contains { "[]*$@'\"?() \t".contains($0) } }
        guard isPlain else {
            throw UsageError("\(option) takes names of members such as image.url, not '\(text)'")
        }
        self.init(plain: String(plain))
    }

    private init(plain: String) {
        names = plain.split(separator: ".").map { Array($0.utf8) }
    }
}
