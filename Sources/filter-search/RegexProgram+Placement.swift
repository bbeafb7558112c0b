// A regular expression that may match only in one place of a text: the options for plain texts, said of an expression.

import PipelineCore

extension RegexProgram {
    /// What ends an expression whose end would swallow a parenthesis: a comment under (?x), a text that \Q begins.
    private static let openEnds = ["", "\n", "\\E", "\\E\n"]

    /// - Throws: if the expression is invalid.
    static func compiled(_ query: String, _ settings: FilterSettings) throws(UsageError) -> RegexProgram {
        func compiled(_ expression: String) throws(RegexError) -> RegexProgram {
            try RegexProgram(expression, caseInsensitive: settings.strength != .exact)
        }
        do throws(RegexError) {
            // Compiled alone first, so that an error's position refers to what was typed.
            let program = try compiled(query)
            guard let (before, after) = frame(settings.placement) else { return program }
            for end in openEnds.dropLast() {
                do throws(RegexError) { return try compiled("\(before)(?:\(query)\(end))\(after)") } catch {
                    continue
                }
            }
            return try compiled("\(before)(?:\(query)\(openEnds.last ?? ""))\(after)")
        } catch {
            throw UsageError("the regular expression '\(query)' is wrong: \(error)")
        }
    }

    /// What stands before and after the expression; nil if it may match anywhere.
    private static func frame(_ placement: TextPlacement) -> (before: String, after: String)? {
        switch placement {
        case .anywhere: nil
        case .prefix: ("\\A", "")
        case .word: ("\\b", "\\b")
        case .beginning: ("\\b", "")
        case .whole: ("\\A", "\\z")
        }
    }
}
