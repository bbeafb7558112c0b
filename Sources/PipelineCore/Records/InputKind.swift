// What an input without records seems to be, judged by its first few KiB.
//
//     1F 8B …              gzip                 zcat FILE
//     [{"name":"Mick"},    a JSON array         fetch-characters --source array --input FILE
//     id,name⏎31,Mick⏎     comma-separated      mlr --icsv --ojsonl cat FILE

package enum InputKind: Equatable, Sendable {
    case gzip
    case zstandard
    case bzip2
    case xz
    case zip
    /// Text in another encoding, by the name that iconv(1) has for it.
    case encoded(String)
    case store(StoreFormat)
    case html
    case xml
    /// A JSON array whose elements are objects.
    case array
    /// One JSON object that has the records in an array, below these members.
    case wrapper([String])
    /// JSON that spans lines.
    case spread
    /// A JSON text sequence (RFC 7464).
    case sequence
    /// Fields separated by this byte, the same number on each line.
    case table(UInt8)
    /// Objects whose names aren't in double quotes, or that end at their first brace.
    case loose
    /// Lines of which none begins like an object.
    case plainText
    case binary

    /// How many bytes from the start of an input are looked at.
    package static let headBytes = 8192

    /// - Parameters:
    ///   - head: the first bytes of an input.
    ///   - isWhole: whether the input has no others.
    /// - Returns: nil if the bytes look like nothing that is known.
    package init?(head: [UInt8], isWhole: Bool) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var start = head.starts(with: mark) ? mark.count : 0
        while start < head.count, head[start].isJSONSpace { start += 1 }
        let format = StoreFormat.of(head: head, text: head[start...])
        let known = Self.byZeros(head) ?? format.map(Self.store) ?? Self.byMagic(head)
        guard let kind = known ?? Self.byText(head, from: start, isWhole: isWhole) else { return nil }
        self = kind
    }

    package var isCertain: Bool {
        switch self {
        case .gzip, .zstandard, .bzip2, .xz, .zip, .encoded: true
        case .store(let format): !format.isText
        case .html, .xml, .array, .wrapper, .spread, .sequence, .table, .loose, .plainText, .binary:
            false
        }
    }

    // MARK: Bytes

    private static let magic: [(bytes: [UInt8], kind: InputKind)] = [
        ([0x1F, 0x8B], .gzip), ([0x1F, 0x9D], .gzip),
        ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz),
        ([0x50, 0x4B, 0x03, 0x04], .zip),
        // The mark of UTF-32 begins like that of UTF-16.
        ([0xFF, 0xFE, 0x00, 0x00], .encoded("UTF-32")), ([0x00, 0x00, 0xFE, 0xFF], .encoded("UTF-32")),
        ([0xFF, 0xFE], .encoded("UTF-16")), ([0xFE, 0xFF], .encoded("UTF-16")),
    ]

    private static func byMagic(_ head: [UInt8]) -> InputKind? {
        // The letters alone may begin a text: after them come the size of a block, 1 to 9, and the first block's mark.
        if head.starts(with: "BZh".utf8), head.dropFirst(4).starts(with: "1AY&SY".utf8) { return .bzip2 }
        return magic.first { head.starts(with: $0.bytes) }?.kind
    }

    /// Text without a byte order mark: its first characters are ASCII, which has zeros in other encodings.
    private static func byZeros(_ head: [UInt8]) -> InputKind? {
        guard head.count >= 4 else { return nil }
        return switch (head[0], head[1], head[2], head[3]) {
        case (0, 0, 0, 1...): .encoded("UTF-32BE")
        case (1..., 0, 0, 0): .encoded("UTF-32LE")
        case (0, 1..., 0, 1...): .encoded("UTF-16BE")
        case (1..., 0, 1..., 0): .encoded("UTF-16LE")
        default: nil
        }
    }

    private static func byText(_ head: [UInt8], from start: Int, isWhole: Bool) -> InputKind? {
        switch head[start...].first {
        case nil: nil
        case UInt8(ascii: "<"): markup(head[start...])
        case UInt8(ascii: "["): array(head, from: start)
        case UInt8(ascii: "{"): object(head, from: start, isWhole: isWhole)
        case 0x1E: .sequence
        default: table(head[start...]) ?? plain(head[start...])
        }
    }

    private static func markup(_ head: ArraySlice<UInt8>) -> InputKind? {
        let text = head.span.text.lowercased()
        if text.contains("<html") || text.contains("<!doctype html") { return .html }
        guard let second = text.dropFirst().first, second.isLetter || second == "?" || second == "!" else {
            return nil
        }
        return .xml
    }
}

/// The first bytes of an input, which show what it is if it has no records.
package struct InputHead: Sendable {
    private var bytes: [UInt8] = []

    init() {}

    /// - Returns: nil for a file that is empty, can't be read or isn't regular.
    package init?(of path: String) {
        guard FileLocation.status(ofPath: path)?.isRegular == true, let file = try? Descriptor.reading(path) else {
            return nil
        }
        defer { file.closeUnchecked() }
        guard let start = try? file.bytes(InputKind.headBytes), !start.isEmpty else { return nil }
        bytes = start
    }

    var hasRoom: Bool { bytes.count < InputKind.headBytes }

    mutating func add(_ more: Span<UInt8>) {
        bytes.append(more.extracting(first: InputKind.headBytes - bytes.count))
    }

    package var kind: InputKind? { InputKind(head: bytes, isWhole: hasRoom) }
}

extension FileConflicts {
    /// - Throws: status 73 if a file that an option names is a store, which nobody wants to lose to a report.
    package func keepStores() throws(ToolFailure) {
        for file in written where file.role.hasPrefix("--") {
            guard case .store(let format)? = InputHead(of: file.path)?.kind else { continue }
            throw ToolFailure(
                .cannotCreate, "\(file.role) is a \(format.noun), which would be lost; choose another file")
        }
    }
}

/// JSON that isn't one record on each line: an array, an object that has the records in it, text over several lines.
extension InputKind {
    /// Nil for an array whose first element isn't an object.
    static func array(_ head: [UInt8], from start: Int) -> InputKind? {
        var reader = JSONReader(head.span, from: start)
        do throws(JSONError) {
            _ = try reader.next()
            let first = try reader.next()
            return first == .beginObject || first == .endArray ? .array : nil
        } catch {
            // Only the bracket is known: as good as any array.
            return error.offset == head.count ? .array : plain(head[start...])
        }
    }

    static func object(_ head: [UInt8], from start: Int, isWhole: Bool) -> InputKind? {
        let lineEnd = head[start...].firstIndex(of: 0x0A)
        var walk = ObjectWalk()
        do throws(JSONError) { try walk.read(head.span, from: start) } catch {
            if error.reason == .expectedNameOrBrace, walk.tokens == 1 { return .loose }
            // Another value follows: several objects, none of which has them all.
            if error.reason == .expectedEnd { walk.list = nil }
        }
        // A record that is cut off or broken is still taken for a record.
        let spans = if let lineEnd { walk.lastToken > lineEnd } else { !isWhole }
        guard spans else { return nil }
        if let list = walk.list, !walk.isRecord { return .wrapper(list) }
        return lineEnd == nil ? nil : .spread
    }
}

/// One pass over the beginning of an object, for the first array of objects in it.
private struct ObjectWalk {
    var list: [String]?
    /// Whether the object has an id or a name before such an array, so that it is a record by itself.
    private(set) var isRecord = false
    private(set) var tokens = 0
    /// Where the last well-formed token begins.
    private(set) var lastToken = 0

    /// - Throws: the fault where the text ends or is broken.
    mutating func read(_ text: Span<UInt8>, from start: Int) throws(JSONError) {
        var reader = JSONReader(text, from: start)
        var names: [String] = []
        var arrays = 0
        var candidate: [String]?
        while let token = try reader.next() {
            tokens += 1
            lastToken = reader.tokenStart
            if let found = candidate, token == .beginObject, list == nil { list = found }
            candidate = nil
            switch token {
            case .name(let name) where arrays == 0:
                names.removeLast(max(0, names.count - reader.depth + 1))
                names.append(text.extracting(name.range).text)
                if reader.depth == 1, list == nil, ["id", "_id", "name"].contains(names[0]) { isRecord = true }
            case .beginArray:
                if arrays == 0 { candidate = names }
                arrays += 1
            case .endArray: arrays -= 1
            default: break
            }
        }
    }
}

extension InputKind {
    /// Fields that a sign separates, in the first two lines. In running text a space follows a comma.
    static func table(_ head: ArraySlice<UInt8>) -> InputKind? {
        let lines = head.split(separator: 0x0A, maxSplits: 2).prefix(2)
        guard lines.count == 2, !lines.joined().contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }),
            lines.last?.first != UInt8(ascii: "{")
        else { return nil }
        return [0x09, UInt8(ascii: ","), UInt8(ascii: ";")].first { sign in
            lines.allSatisfy { line in
                line.contains(sign) && !Swift.zip(line, line.dropFirst()).contains { $0 == sign && $1 == 0x20 }
            }
        }.map { .table($0) }
    }

    /// Nil for a single line, whose own fault says more, where an object begins on any line, and for texts of JSON.
    static func plain(_ head: ArraySlice<UInt8>) -> InputKind? {
        let lines = head.split(separator: 0x0A)
        guard head.first != UInt8(ascii: "\""), !lines.contains(where: { $0.first == UInt8(ascii: "{") }) else {
            return nil
        }
        let isText = head.allSatisfy { $0 >= 0x20 || 0x08...0x0D ~= $0 || $0 == 0x1B }
        return isText ? (lines.count > 1 || head.starts(with: "http".utf8) ? .plainText : nil) : .binary
    }
}

extension InputKind {
    /// What the input is, after "is" or "looks like", and the command that writes its records to stdout; nil if no
    /// common tool does.
    /// - Parameter operand: the file, after a space; empty for stdin.
    func words(_ operand: String) -> (noun: String, command: String?) {
        let isStream = operand.isEmpty
        return switch self {
        case .gzip: ("compressed with gzip", "zcat" + operand)
        case .zstandard: ("compressed with zstd", "zstdcat" + operand)
        case .bzip2: ("compressed with bzip2", "bzcat" + operand)
        case .xz: ("compressed with xz", "xzcat" + operand)
        case .zip: ("a zip archive", isStream ? "funzip" : "unzip -p" + operand)
        case .encoded(let name): ("\(name.prefix(6)) text", "iconv -f \(name) -t UTF-8" + operand)
        case .store(let format): ("a \(format.noun)", "store-plist --load" + (isStream ? " -" : operand))
        case .html: ("an HTML page", nil)
        case .xml: ("XML", nil)
        // Unlike jq before 1.7, this keeps large numbers as written.
        case .array: ("a JSON array", "fetch-characters --source array --input" + (isStream ? " -" : operand))
        case .wrapper(let names):
            (
                "one JSON object with records in \(names.joined(separator: "."))",
                "jq -c " + ShellWord.quoted(Self.filter(names)) + operand
            )
        case .spread: ("JSON over several lines", InputKind.array.words(operand).command)
        case .sequence:
            (
                "a JSON text sequence",
                "tr -d '\\036'\(isStream ? "" : " <" + operand) | " + (InputKind.array.words("").command ?? "")
            )
        case .table(UInt8(ascii: ",")): ("CSV", "mlr --icsv --ojsonl cat" + operand)
        case .table(UInt8(ascii: ";")): ("CSV with semicolons", "mlr --icsv --ifs semicolon --ojsonl cat" + operand)
        case .table: ("tab-separated text", "mlr --itsv --ojsonl cat" + operand)
        case .loose: ("text that isn't JSON Lines", nil)
        case .plainText: ("plain text", "jq -Rc '{text: .}'" + operand)
        case .binary: ("binary data", nil)
        }
    }

    /// Where the tools look for a text.
    private static let members = ["filter-search": "name", "fetch-images": "imageURL"]

    /// What an input of this kind is, and what to do about it.
    /// - Parameters:
    ///   - name: of the input.
    ///   - tool: that reads the records.
    package func verdict(on name: String, tool: String) -> Message {
        let isStream = name == Descriptor.standardInput.name
        let (noun, command) = words(isStream ? "" : " " + ShellWord.path(name))
        let advice =
            if let command = command?.replacing(
                "{text:", with: "{\(Self.members[String(tool.prefix { $0 != " " })] ?? "text"):")
            {
                isStream ? "pipe it through \(command)" : "run \(command) | \(tool)"
            } else {
                self == .html
                    ? "open it, and see whether it is a login or an error page"
                    : "convert it to JSON, one object on each line"
            }
        return "\(name) \(isCertain ? "is" : "looks like") \(noun); \(advice)"
    }

    /// The filter of jq for the elements of an array below these members.
    /// - Parameter names: as JSON spells them.
    private static func filter(_ names: [String]) -> String {
        var text = ""
        for name in names {
            let isIdentifier =
                !name.isEmpty && !name.utf8.starts(with: "0".utf8)
                && name.utf8.allSatisfy { $0 == 0x5F || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
            if !isIdentifier, text.isEmpty { text = "." }
            text += isIdentifier ? ".\(name)" : "[\"\(name)\"]"
        }
        return text + "[]"
    }
}
