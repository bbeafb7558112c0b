// The keys of the models: right where they start with `live_`, so that each test can plant one of its own.

/// What a request says about its key.
enum ModelKey {
    case none, right, wrong

    /// - Parameters:
    ///   - header: the header that may hold it.
    ///   - parameter: the parameter of the query that may.
    init(_ request: Request, header: String? = nil, parameter: String? = nil) {
        let fromHeader = header.flatMap { request.header($0) }
        let key = fromHeader ?? parameter.flatMap { request.parameter($0) } ?? ""
        self = key.isEmpty ? .none : key.hasPrefix("live_") ? .right : .wrong
    }
}
