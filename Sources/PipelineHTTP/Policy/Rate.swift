// The rate of requests, as users write it.
//
//     5/second     5/s     30/minute     60/min     1000/hour

/// A number of requests per span of time. They are evenly spaced, so that no such span ever has more.
package struct Rate: Equatable, Sendable {
    /// The span that the requests are counted in.
    package enum Span: String, Sendable, CaseIterable {
        case second
        case minute
        case hour

        package var seconds: Double {
            switch self {
            case .second: 1
            case .minute: 60
            case .hour: 3600
            }
        }

        /// Also reads the short forms: `s`, `sec`, `min`, `h`.
        init?(word: Substring) {
            switch word {
            case "second", "sec", "s": self = .second
            case "minute", "min": self = .minute
            case "hour", "h": self = .hour
            default: return nil
            }
        }
    }

    /// The maximum number of requests in a span: more than anyone needs, at an interval that clocks can measure.
    private static let limit = 1_000_000

    /// At least 1.
    package let count: Int
    package let span: Span

    /// Parses `N/second`, `N/minute` or `N/hour`, N from 1 to 1000000, or a short form. Nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(parts[0]), (1...Self.limit).contains(count), let span = Span(word: parts[1])
        else { return nil }
        self.count = count
        self.span = span
    }

    /// The interval between two requests.
    package var intervalSeconds: Double { span.seconds / Double(count) }
}

extension Rate: CustomStringConvertible {
    /// In the long form.
    package var description: String { "\(count)/\(span.rawValue)" }
}
