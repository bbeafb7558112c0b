// A value that the tool puts into a request. In a JSON body a number is a number, and a cursor what it was in the
// response; everywhere else it is text.

import PipelineCore
import PipelineHTTP

/// A value and its JSON.
struct RequestValue: Sendable {
    let text: String
    let json: JSONTree
    /// It is a text of the description, whose placeholders are filled in.
    var isTemplate = false

    init(_ text: String, isTemplate: Bool = false) {
        self.text = text
        json = .string(text)
        self.isTemplate = isTemplate
    }

    init(_ cursor: CursorValue) {
        text = cursor.text
        json = cursor.tree
    }

    init(_ number: Int) {
        text = "\(number)"
        json = .integer(number)
    }
}

extension Source.Since.Format {
    /// A time as it is sent, rounded down.
    func value(_ instant: Instant) -> RequestValue {
        switch self {
        case .iso: RequestValue(UTCCalendar.text(seconds: instant.seconds))
        case .date: RequestValue(String(UTCCalendar.text(seconds: instant.seconds).prefix(10)))
        case .unix: RequestValue(instant.seconds)
        case .unixMilliseconds: RequestValue(instant.milliseconds)
        }
    }
}
