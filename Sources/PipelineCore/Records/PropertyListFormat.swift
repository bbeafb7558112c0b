// The formats of a property list, and what is true of each. The compiler names the rest that a new one needs.

package enum PropertyListFormat: String, CaseIterable, Sendable {
    case xml
    case binary

    /// What a format can't hold: the characters that XML excludes, more than one NaN, fractions of a second.
    enum Loss { case controls, bitsOfNaN, fractions }

    private var facts: (starts: [String], isText: Bool, losses: Set<Loss>) {
        switch self {
        case .xml: (["<?xml", "<plist"], isText: true, [.controls, .bitsOfNaN, .fractions])
        case .binary: (["bplist0"], isText: false, [])
        }
    }

    /// Whether a terminal can show it, and records are written as they arrive.
    package var isText: Bool { facts.isText }

    var losses: Set<Loss> { facts.losses }

    /// - Returns: nil if no format begins so. What begins as a text may still be another one.
    package static func of(start: some Collection<UInt8>) -> PropertyListFormat? {
        allCases.first { format in format.facts.starts.contains { start.starts(with: $0.utf8) } }
    }
}
