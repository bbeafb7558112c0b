// The readers that are fuzzed, and the check that each of their inputs goes through.

/// A reader under test. Its name is the name of its directory in `Corpus`.
enum FuzzTarget: String, CaseIterable, Sendable {
    case json, path, regex, filter, xml, binary, image, http, learn

    /// Reads the bytes and compares what came out with what is promised.
    /// - Throws: `Finding` for a broken promise; any other error is one too.
    func check(_ bytes: [UInt8], in workspace: Workspace) throws {
        switch self {
        case .json:
            try JSONCheck.check(bytes)
            try LineCheck.check(bytes)
            try StreamCheck.check(bytes)
        case .path: try PathCheck.check(bytes)
        case .regex: try RegexCheck.check(bytes)
        case .filter: try FilterCheck.check(bytes)
        case .xml, .binary: try StoreRoundTrip(workspace).check(bytes)
        case .image: try ImageCheck.check(bytes)
        case .http: try HTTPCheck.check(bytes)
        case .learn: try LearnCheck.check(bytes)
        }
    }
}
