// How an API takes a time: by a word, or by a pattern of its own as strftime(3) has them.
//
//     "iso"     2026-03-01T10:00:00Z          "%Y/%m/%d %H:%M"     2026/03/01 10:00

import PipelineCore

/// What a format has no room for is left out, so that the text isn't later than the time.
enum TimeFormat: Sendable {
    enum Word: String, CaseIterable, Sendable {
        /// `2026-03-01T10:00:00Z`
        case iso
        /// `2026-03-01`, in UTC
        case date
        case unix, epoch
        case unixMilliseconds = "unix-ms"
        case epochMilliseconds = "epoch-ms"
    }

    case word(Word)
    /// In UTC.
    case pattern([Part])

    enum Part: Sendable {
        case text(String)
        case field(Field)
    }

    enum Field: Character, CaseIterable, Sendable {
        case year = "Y"
        case month = "m"
        case day = "d"
        case hour = "H"
        case minute = "M"
        case second = "S"
        /// Since 1970.
        case seconds = "s"
        /// Six digits.
        case microsecond = "f"
        /// `+0000`
        case offset = "z"

        fileprivate func text(_ instant: Instant) -> String {
            let seconds = instant.seconds
            let time = UTCCalendar.text(seconds: seconds)
            func digits(_ start: Int, _ count: Int) -> String { String(time.dropFirst(start).prefix(count)) }
            return switch self {
            case .year: digits(0, 4)
            case .month: digits(5, 2)
            case .day: digits(8, 2)
            case .hour: digits(11, 2)
            case .minute: digits(14, 2)
            case .second: digits(17, 2)
            case .seconds: "\(seconds)"
            case .microsecond: String((instant.milliseconds - seconds * 1000) * 1000).padded(to: 6)
            case .offset: "+0000"
            }
        }
    }

    init?(_ text: String) {
        if let word = Word(rawValue: text) {
            self = .word(word)
        } else if let parts = Self.parts(text) {
            self = .pattern(parts)
        } else {
            return nil
        }
    }

    /// What is wrong with a text that is no format. Nil for one that is.
    static func mistake(_ text: String) -> String? {
        guard TimeFormat(text) == nil else { return nil }
        if text.contains("%") {
            let fields = Field.allCases.map { "%\($0.rawValue)" }.joined(separator: ", ")
            return "'\(text)' isn't a pattern of \(fields) and %%"
        }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return "'\(text)' is not known; use one of \(words), or a pattern such as %Y-%m-%d"
    }

    /// Nil without a field, or with one that isn't known.
    private static func parts(_ text: String) -> [Part]? {
        var parts: [Part] = []
        var hasField = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                parts.append(.text(String(scalar)))
                continue
            }
            guard let letter = rest.popFirst() else { return nil }
            if letter == "%" {
                parts.append(.text("%"))
                continue
            }
            guard let field = Field(rawValue: Character(letter)) else { return nil }
            parts.append(.field(field))
            hasField = true
        }
        return hasField ? parts : nil
    }

    func value(_ instant: Instant) -> JSONTree {
        switch self {
        case .word(.iso): .string(UTCCalendar.text(seconds: instant.seconds))
        case .word(.date): .string(String(UTCCalendar.text(seconds: instant.seconds).prefix(10)))
        case .word(.unix), .word(.epoch): .integer(instant.seconds)
        case .word(.unixMilliseconds), .word(.epochMilliseconds): .integer(instant.milliseconds)
        case .pattern(let parts):
            .string(
                parts.map { part in
                    switch part {
                    case .text(let text): text
                    case .field(let field): field.text(instant)
                    }
                }.joined())
        }
    }
}
