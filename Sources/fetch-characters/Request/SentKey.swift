// A key in its place: what a request carries so that the service lets it in.
//
//     {"header": "Authorization", "prefix": "Bearer ", "env": "X_TOKEN"}      Authorization: Bearer castline-X_TOKEN-key

import PipelineHTTP

/// A key, and where it goes.
struct SentKey: Sendable {
    let placement: Placement
    /// What is sent, with a placeholder for the secret part. Add `secret` to the request too.
    let value: String
    let secret: HTTPSecret

    init(_ placement: Placement, prefix: String = "", _ secret: HTTPSecret) {
        self.placement = placement
        self.secret = secret
        value = prefix + secret.placeholder
    }

    init(_ key: Source.Key, _ secret: HTTPSecret) {
        self.init(key.placement, prefix: key.prefix, secret)
    }
}
