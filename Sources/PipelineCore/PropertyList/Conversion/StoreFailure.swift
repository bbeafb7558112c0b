// The two ways in which storing and reading a store can fail: one record is bad, or the run ends.

/// A record that can't be stored, and how to fix it.
package struct BadRecord: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case json(JSONError)
        case noKey(path: Int)
        indirect case value(Message)
    }

    package let reason: Reason
    /// The offset in the line of the value or the name, in bytes. Whoever writes a value doesn't know it.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }

    @inline(__always)
    static func of<Result>(_ read: @autoclosure () throws(JSONError) -> Result) throws(BadRecord) -> Result {
        do throws(JSONError) { return try read() } catch { throw BadRecord(.json(error)) }
    }

    /// Writes a value that stands at an offset.
    @inline(__always)
    static func of(_ write: @autoclosure () throws(BadRecord) -> Void, at offset: Int) throws(BadRecord) {
        do throws(BadRecord) { try write() } catch { throw BadRecord(error.reason, at: offset) }
    }
}

extension BadRecord.Reason {
    package var message: Message {
        switch self {
        case .json(let error): "\(error)"
        case .noKey: "the key finds no string or number"
        case .value(let message): message
        }
    }

    package static func null(_ part: String, in format: StoreFormat) -> Self {
        .value("a \(format.noun) has no null; --null=omit leaves the \(part) out, --null=TEXT stores a text")
    }
    package static let bigInteger = value(
        "the integer has more than 64 bits; --lossy text stores it as a text")
    package static let infiniteNumber = value(
        "the number is too large or too small for a real; correct it, or write it in quotes as a text")
    package static let loneSurrogate = value(
        "the escape is half of a surrogate pair, so this isn't text; --lossy text stores U+FFFD instead")
    package static func duplicateKey(in format: StoreFormat) -> Self {
        let otherwise = format.keepsLines ? "the line is stored as it is" : "the last one wins"
        return .value("the name occurs twice in this object; without --strict \(otherwise)")
    }
    static let farDate = value("the date is outside the years 0000 to 9999; store it as a string")
    static let notDate = value(
        "--date expects a date and time here; write one such as 2011-05-12T01:02:03Z, or leave out --date")
    static let notData = value("--data expects base64 here; correct it, or leave out --data")
    /// - Parameter kinds: what the old store has there.
    static func notKept(_ kinds: StoredKinds.Kinds) -> Self {
        let cure = "correct it, or store the records in a new FILE"
        guard kinds.contains(.date) else {
            return .value(Message("the store has data here, so base64 is expected", cure: cure))
        }
        guard kinds.contains(.data) else {
            return .value(
                Message("the store has dates here, so one such as 2011-05-12T01:02:03Z is expected", cure: cure))
        }
        return .value(Message("the store has dates and data here, so one of them is expected", cure: cure))
    }
    static let nonfinite = value("JSON has no number for NaN and infinity; --lossy text writes a text")
    static let nonfiniteInLine = value(
        "JSON has no number for NaN and infinity; store-plist --load --lossy text prints texts, which can be stored"
    )
    static func tooDeep(_ levels: Int) -> Self {
        .value("expected at most \(levels) levels of nesting; it goes deeper, or in a circle")
    }
    static let tooLarge = value("a record may take \(ReadLimits.recordBytes >> 20) MiB; store it in parts")

    /// A scalar that XML 1.0 (section 2.2) excludes.
    package static func control(_ value: UInt32) -> Self {
        .value(
            "XML can't hold U+\(hexadecimal(value)); --lossy text stores U+FFFD instead, "
                + "--format binary stores it")
    }

    static func controlInName(_ value: UInt32) -> Self {
        .value("XML can't hold U+\(hexadecimal(value)), which a name of the store has; --format binary keeps it")
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        String(value, radix: 16, uppercase: true).padded(to: 4)
    }
}

package enum StoreFailure: SystemFailure, Equatable {
    case system(SystemError)
    /// A store that isn't a property list, and the offset of the byte where it shows.
    case invalid(Message, offset: Int)
    /// A store in JSON Lines with a line that isn't a record. Line and column count from 1.
    case badLine(Message, line: Int, column: Int)
    /// A stored value that JSON can't hold, or that isn't a record; with its path.
    case unfit(Message, path: String)
    /// The records are laid out in another way than asked for; with the path of their container.
    case otherLayout(Message, path: String)
    /// A stored value that the format of the new store can't hold.
    case unwritable(Message)

    package init(_ error: SystemError) { self = .system(error) }

    @inline(__always)
    static func ofStored(_ write: @autoclosure () throws(BadRecord) -> Void) throws(StoreFailure) {
        do throws(BadRecord) { try write() } catch { throw .unwritable(error.reason.message) }
    }

    /// Whether the stored content is at fault, rather than reading it, and nothing beside the fault could be kept: under
    /// `--root` that is the rest of the root.
    package func spoilsAll(of layout: StoreLayout) -> Bool {
        switch self {
        case .invalid, .badLine: true
        case .unfit(_, let path), .otherLayout(_, let path): layout.root == nil || path == "$"
        case .system, .unwritable: false
        }
    }

    package func inside(_ path: @autoclosure () -> String) -> StoreFailure {
        guard case .unfit(let what, let inner) = self else { return self }
        return .unfit(what, path: path() + inner.dropFirst())
    }
}

package enum ReadLimits {
    /// Records have up to 512 levels; a root, a member of it and an array may enclose them.
    static let depth = JSONReader.depthLimit + 4
    /// Bytes of one text or one piece of data.
    static let textBytes = 256 << 20
    /// Bytes of one record that is held, as JSON or encoded.
    package static let recordBytes = 256 << 20
}
