// The formats of a store, and what is true of each. The compiler names the rest that a new one needs.

/// Each is named as `--format` names it. What begins as one counts as a store, which no report and no page replaces.
package enum StoreFormat: String, CaseIterable, Sendable {
    case xml
    case binary

    /// That of a new store. Its reader says what is wrong with a file that begins as none does.
    package static let `default` = StoreFormat.xml

    /// One that loses nothing of a record.
    package static let lossless = StoreFormat.binary

    /// What a format can't hold: the characters that XML excludes, more than one NaN, fractions of a second.
    struct Losses: OptionSet {
        let rawValue: UInt8
        static let controls = Losses(rawValue: 1)
        static let bitsOfNaN = Losses(rawValue: 2)
        static let fractions = Losses(rawValue: 4)
    }

    /// - Returns: `end` is the last text but for white space; nil for a format whose end is read first.
    private var facts: (noun: String, suffix: String, starts: [String], end: String?, isText: Bool, losses: Losses)
    {
        switch self {
        case .xml:
            (
                "property list", ".plist", ["<?xml", "<plist"], "</plist>", isText: true,
                [.controls, .bitsOfNaN, .fractions]
            )
        case .binary: ("property list", ".plist", ["bplist0"], end: nil, isText: false, [])
        }
    }

    package var noun: String { facts.noun }
    package var suffix: String { facts.suffix }
    package var end: String? { facts.end }
    /// Whether a terminal can show it, and records are written as they arrive.
    package var isText: Bool { facts.isText }
    var losses: Losses { facts.losses }

    /// Whether a file's name ends like that of a store.
    package static func isNamed(by path: String) -> Bool { allCases.contains { path.hasSuffix($0.facts.suffix) } }

    /// How many bytes of a file tell its format.
    package static var startBytes: Int { allCases.flatMap(\.facts.starts).map(\.utf8.count).max() ?? 0 }

    /// - Returns: nil if no format begins so. What begins as a text may still be another one.
    package static func of(start: some Collection<UInt8>) -> StoreFormat? {
        allCases.first { format in format.facts.starts.contains { start.starts(with: $0.utf8) } }
    }

    /// The format that the first KiB of an input show. As a text they begin after a byte order mark and white space.
    static func of(head: [UInt8], text: ArraySlice<UInt8>) -> StoreFormat? {
        allCases.first { format in
            switch format {
            case .xml:
                guard text.first == UInt8(ascii: "<") else { return false }
                let markup = text.span.text.lowercased()
                return markup.contains("<plist") || markup.contains("<!doctype plist")
            case .binary: return of(start: head) == format
            }
        }
    }
}
