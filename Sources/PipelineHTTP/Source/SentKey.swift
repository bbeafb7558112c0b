// A key in its place: what a request carries so that the service lets it in.
//
//     {"header": "Authorization", "prefix": "Bearer ", "env": "X_TOKEN"}      Authorization: Bearer castline-X_TOKEN-key

/// A key, and where it goes.
package struct SentKey: Sendable {
    package let placement: Placement
    /// What is sent, with a placeholder for the secret part. Add `secret` to the request too.
    package let value: String
    package let secret: HTTPSecret

    package init(_ placement: Placement, prefix: String = "", _ secret: HTTPSecret) {
        self.placement = placement
        self.secret = secret
        value = prefix + secret.placeholder
    }

    package init(_ key: Source.Key, _ secret: HTTPSecret) {
        self.init(key.placement, prefix: key.prefix, secret)
    }
}
