// The formats of a store, and what is true of each. The compiler names the rest that a new one needs.

/// Each is named as `--format` names it. What begins as one counts as a store, which no report and no page replaces.
package enum StoreFormat: String, CaseIterable, Sendable {
    case xml
    case binary
    /// JSON Lines: the records as they came.
    case jsonl

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

    private struct Facts {
        let noun: String
        let suffixes: [String]
        /// Whether files of other kinds have such names and begin so: then neither shows that a file is a store.
        var isShared = false
        let starts: [String]
        /// The last text but for white space; nil for a format whose end is read first, or that has none.
        var end: String?
        var isText = true
        var losses: Losses = []
        var keepsLines = false
    }

    private var facts: Facts {
        switch self {
        case .xml:
            Facts(
                noun: "property list", suffixes: [".plist"], starts: ["<?xml", "<plist"], end: "</plist>",
                losses: [.controls, .bitsOfNaN, .fractions])
        case .binary: Facts(noun: "property list", suffixes: [".plist"], starts: ["bplist0"], isText: false)
        case .jsonl:
            Facts(
                noun: "JSON Lines file", suffixes: [".jsonl", ".ndjson"], isShared: true, starts: ["{"],
                keepsLines: true)
        }
    }

    package var noun: String { facts.noun }
    package var end: String? { facts.end }
    /// Whether a terminal can show it, and records are written as they arrive.
    package var isText: Bool { facts.isText }
    /// Whether a record is the line that it came as. Otherwise its values are converted, by rules that options set.
    package var keepsLines: Bool { facts.keepsLines }
    var losses: Losses { facts.losses }

    /// Whether a file's name ends like that of a store, and like nothing else's.
    package static func isNamed(by path: String) -> Bool {
        allCases.contains { !$0.facts.isShared && $0.isName(path) }
    }

    package func isName(_ path: String) -> Bool { facts.suffixes.contains { path.hasSuffix($0) } }

    /// That of a new store of this name; nil for a name that says nothing.
    package static func named(by path: String) -> StoreFormat? {
        [.default, .jsonl].first { $0.isName(path) }
    }

    /// How many bytes of a file tell its format: white space may precede it.
    package static let startBytes = 1024

    /// - Returns: nil if no format begins so. What begins as a text may still be another one.
    package static func of(start: some Collection<UInt8>) -> StoreFormat? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = start.dropFirst(start.starts(with: mark) ? mark.count : 0).drop(while: \.isJSONSpace)
        return allCases.first { format in
            format.facts.starts.contains {
                start.starts(with: $0.utf8) || format.keepsLines && text.starts(with: $0.utf8)
            }
        }
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
            // It is what the tools read.
            case .jsonl: return false
            }
        }
    }
}
