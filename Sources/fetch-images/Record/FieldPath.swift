// Where a record has its URL, or a part of its picture's name: a JSONPath, usually in its short form.
//
//     image.url                  {"image":{"url":"https://…"}}
//     $.images[?@.width > 500].url      the first of several that holds a text

package import PipelineCore

/// A path of `--field` or `--name`.
package struct FieldPath: Sendable {
    let path: JSONPath

    /// Where records of the known services have their pictures.
    package static let usual: [FieldPath] = ["imageURL", "imageUrl", "image.url", "image", "url"].map { text in
        do throws(UsageError) { return try FieldPath(text) } catch { preconditionFailure(error.message) }
    }

    /// - Parameter option: for the message.
    package init(_ text: String, option: String = "--field") throws(UsageError) {
        do throws(JSONPathError) {
            path = try JSONPath(text)
        } catch {
            throw UsageError("\(option): the path '\(text)' is wrong at character \(error.offset + 1): \(error)")
        }
    }

    /// Reads the path at the beginning of a text.
    /// - Returns: the path, and what stands after it.
    static func prefix(
        of text: String.UnicodeScalarView.SubSequence, option: String
    ) throws(UsageError) -> (FieldPath, String.UnicodeScalarView.SubSequence) {
        do throws(JSONPathError) {
            let (path, rest) = try JSONPath.prefix(of: String(text))
            return (FieldPath(path: path), String.UnicodeScalarView(rest)[...])
        } catch {
            throw UsageError(
                "\(option): the path in '\(String(text))' is wrong at character \(error.offset + 1): \(error)")
        }
    }

    private init(path: JSONPath) { self.path = path }
}
