// A value that the tool puts into a request. In a JSON body a number is a number, and a cursor what it was in the
// response; everywhere else it is text.

import PipelineCore

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
