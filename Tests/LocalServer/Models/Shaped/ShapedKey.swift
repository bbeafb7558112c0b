// The key that an API of a shape wants: any that starts with `live_`, in one of its places.

import Foundation
import PipelineCore

struct ShapedKey {
    private let places: [RequestPlace]
    /// What stands before it, as in `Bearer `.
    private let prefix: String
    /// It is the user name of `Authorization: Basic`.
    private let isBasic: Bool
    /// Without one there is no answer.
    private let isRequired: Bool
    private let refusal: ShapedFailure

    init(_ value: JSONTree, _ place: String) throws(ToolFailure) {
        let known = ["places", "prefix", "basic", "required", "refusal"]
        let reader = try ShapeReader(value, place, known: known)
        isBasic = try reader.flag("basic")
        prefix = try reader.text("prefix") ?? ""
        isRequired = try reader.flag("required")
        refusal = try reader.refusal("refusal", status: 401)
        let places = try reader.elements("places") { (value, place) throws(ToolFailure) in
            try RequestPlace(value, place)
        }
        self.places = isBasic ? [.header("authorization")] : places
    }

    /// What the request has in the place of the key.
    func text(of request: Request) -> String? { places.lazy.compactMap { $0.text(in: request, [:]) }.first }

    /// The answer to a request whose key is wrong or missing.
    func refusal(of request: Request) -> Response? {
        guard let text = text(of: request), !text.isEmpty else {
            return isRequired ? refusal.response() : nil
        }
        return key(text)?.hasPrefix("live_") == true ? nil : refusal.response()
    }

    private func key(_ text: String) -> String? {
        guard !isBasic else {
            guard text.hasPrefix("Basic ") else { return nil }
            return Data(base64Encoded: String(text.dropFirst(6))).map { String(decoding: $0, as: UTF8.self) }
        }
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}
