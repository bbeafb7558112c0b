// The tags of a property list as words, so that eight bytes of the file are compared at once.

/// A tag of at most eight bytes.
struct XMLTag {
    let count: Int
    private let word: UInt64
    private let mask: UInt64

    private init(_ text: StaticString, _ word: UInt64) {
        count = text.utf8CodeUnitCount
        self.word = word
        mask = UInt64.max >> UInt64(64 - 8 * text.utf8CodeUnitCount)
    }

    /// Whether the bytes of the word, the first one lowest, begin with the tag.
    @inline(__always)
    func begins(_ bytes: UInt64) -> Bool { bytes & mask == word }

    static let key = XMLTag("<key>", 0x3E_7965_6B3C)
    static let string = XMLTag("<string>", 0x3E67_6E69_7274_733C)
    static let array = XMLTag("<array>", 0x3E_7961_7272_613C)
    static let emptyArray = XMLTag("<array/>", 0x3E2F_7961_7272_613C)
    static let arrayEnd = XMLTag("</array>", 0x3E79_6172_7261_2F3C)
    static let dictionary = XMLTag("<dict>", 0x3E74_6369_643C)
    static let dictionaryEnd = XMLTag("</dict>", 0x3E_7463_6964_2F3C)
}
