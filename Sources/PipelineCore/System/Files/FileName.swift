// Names of files are bytes, and mostly UTF-8. As text, each byte that isn't stands as a scalar of its own, which goes back to
// the same byte wherever the C library takes a name:
//
//     63 61 66 E9        "caf\u{10FFE9}"        U+10FF80 to U+10FFFF for the bytes 80 to FF
//
// A name that has such scalars already, which are in no language's texts, is taken apart into bytes likewise.

import CLibrary

private enum LoneByte {
    /// The scalar of the byte 80.
    private static let first: UInt32 = 0x10_FF80
    /// All scalars from U+100000 on begin with this byte.
    static let lead: UInt8 = 0xF4

    static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        scalar.value >= first ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    static func scalars(of bytes: [UInt8]) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let length = UTF8Sequence.length(in: bytes.span, at: index)
            let value = length > 0 ? bytes.span.codePoint(at: index).code : first
            let end = index + max(length, 1)
            if value < first, let scalar = Unicode.Scalar(value) {
                scalars.append(scalar)
            } else {
                scalars.append(
                    contentsOf: bytes[index..<end].compactMap { Unicode.Scalar(first + UInt32($0) - 0x80) })
            }
            index = end
        }
        return scalars
    }
}

extension String {
    package init(fileBytes bytes: [UInt8]) {
        if !bytes.contains(LoneByte.lead), let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            self.init(LoneByte.scalars(of: bytes))
        }
    }

    @unsafe init(fileName text: UnsafePointer<CChar>) {
        self.init(fileBytes: unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }

    private var mayHaveLoneBytes: Bool { utf8.contains(LoneByte.lead) }

    /// The name's bytes and a zero, for the C library.
    package var fileBytes: [CChar] {
        guard mayHaveLoneBytes else { return Array(utf8CString) }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            if let byte = LoneByte.byte(of: scalar) {
                bytes.append(byte)
            } else {
                UTF8Sequence.append(scalar.value, to: &bytes)
            }
        }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// The text that these bytes are; nil if they aren't UTF-8.
    package var asText: String? {
        guard mayHaveLoneBytes else { return self }
        return String(validating: fileBytes.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name for people and records, with U+FFFD for what isn't UTF-8.
    package var displayedPath: String {
        guard mayHaveLoneBytes else { return self }
        return String(
            String.UnicodeScalarView(unicodeScalars.map { LoneByte.byte(of: $0) == nil ? $0 : "\u{FFFD}" }))
    }

    /// The longest beginning of whole scalars that has at most `limit` bytes as the name of a file.
    func prefix(fileBytes limit: Int) -> String {
        var count = 0
        let kept = unicodeScalars.prefix { scalar in
            count += LoneByte.byte(of: scalar) == nil ? UTF8.width(scalar) : 1
            return count <= limit
        }
        return String(kept)
    }

    /// Whether it begins with a slash, whatever sign combines with that.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
