// `\d \s \w \h` and `[:alpha:]` as Unicode defines them (Technical Standard 18, annex C). Each set is unpacked once
// per process, when a pattern first uses it.

enum NamedClasses {
    /// `\d`: decimal digits of every script.
    static let digit = RegexProperty.union(["nd"])
    /// `\s`
    static let space = RegexProperty.union(["whitespace"])
    /// `\h`: white space within a line.
    static let blank = RegexProperty.union(["zs"]).union(ScalarSet(0x09))
    /// `\w`: letters, marks, decimal digits, connectors such as the underscore, and the joiners.
    static let word = RegexProperty.union(["alphabetic", "m", "nd", "pc", "joincontrol"])

    /// The set between `[:` and `:]`; nil if the name isn't one.
    static func posix(_ name: String) -> ScalarSet? {
        switch name {
        case "alpha": RegexProperty.union(["alphabetic"])
        case "alnum": RegexProperty.union(["alphabetic", "nd"])
        case "ascii": ScalarSet(0, 0x7F)
        case "blank": blank
        case "cntrl": RegexProperty.union(["cc"])
        case "digit": digit
        case "graph": invisible.inverted
        case "lower": RegexProperty.union(["lowercase"])
        case "print": invisible.inverted.union(blank).intersection(RegexProperty.union(["cc"]).inverted)
        case "punct": RegexProperty.union(["p"]).union(asciiSymbols)
        case "space": space
        case "upper": RegexProperty.union(["uppercase"])
        case "word": word
        case "xdigit": hexadecimal
        default: nil
        }
    }

    private static var invisible: ScalarSet { RegexProperty.union(["whitespace", "cc", "cs", "cn"]) }

    /// The ASCII characters that are symbols to Unicode but punctuation to POSIX.
    private static var asciiSymbols: ScalarSet {
        RegexProperty.union(["s"]).intersection(ScalarSet(0, 0x7F))
    }

    private static var hexadecimal: ScalarSet {
        ScalarSet(0x30, 0x39).union(ScalarSet(0x41, 0x46)).union(ScalarSet(0x61, 0x66))
    }
}
