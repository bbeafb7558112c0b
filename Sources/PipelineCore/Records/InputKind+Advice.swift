// What messages call a kind of input, and the command that makes records of it.

extension InputKind {
    /// What the input is, after "is" or "looks like".
    package var noun: String {
        switch self {
        case .gzip: "compressed with gzip"
        case .zstandard: "compressed with zstd"
        case .bzip2: "compressed with bzip2"
        case .xz: "compressed with xz"
        case .zip: "a zip archive"
        case .encoded(let name): "\(name.prefix(6)) text"
        case .propertyList: "a property list"
        case .html: "an HTML page"
        case .xml: "XML"
        case .array: "a JSON array"
        case .wrapper(let names): "one JSON object with records in \(names.joined(separator: "."))"
        case .spread: "JSON over several lines"
        case .sequence: "a JSON text sequence"
        case .table(UInt8(ascii: ",")): "CSV"
        case .table(UInt8(ascii: ";")): "CSV with semicolons"
        case .table: "tab-separated text"
        case .loose: "text that isn't JSON Lines"
        }
    }

    /// What to do about it, for the input of a tool.
    /// - Parameters:
    ///   - file: nil for stdin.
    ///   - tool: the command that reads the records.
    package func advice(file: String?, tool: String) -> String {
        if let command = command(file) {
            return (file == nil ? "pipe it through " : "run ") + "\(command) | \(tool)"
        }
        return switch self {
        case .html: "look at it, and at where it comes from"
        case .loose: "write each record on one line, its names in double quotes"
        default: "convert it to JSON, one object on each line"
        }
    }

    /// The command that writes the records to its stdout; nil if no common tool does.
    /// - Parameter file: nil for stdin.
    package func command(_ file: String?) -> String? {
        let operand = file.map { " " + ShellWord.path($0) } ?? ""
        return switch self {
        case .gzip: "zcat" + operand
        case .zstandard: "zstdcat" + operand
        case .bzip2: "bzcat" + operand
        case .xz: "xzcat" + operand
        case .zip: file == nil ? "funzip" : "unzip -p" + operand
        case .encoded(let name): "iconv -f \(name) -t UTF-8" + operand
        case .propertyList: "store-plist --load" + (file == nil ? " -" : operand)
        case .array: "jq -c '.[]'" + operand
        case .wrapper(let names): "jq -c " + ShellWord.quoted(Self.filter(names)) + operand
        case .spread: "jq -c ." + operand
        case .sequence: "tr -d '\\036'" + (file == nil ? "" : " <" + operand) + " | jq -c ."
        case .table(UInt8(ascii: ",")): "mlr --icsv --ojsonl cat" + operand
        case .table(UInt8(ascii: ";")): "mlr --icsv --ifs semicolon --ojsonl cat" + operand
        case .table: "mlr --itsv --ojsonl cat" + operand
        case .html, .xml, .loose: nil
        }
    }

    /// The filter of jq for the elements of an array below these members.
    /// - Parameter names: as JSON spells them.
    private static func filter(_ names: [String]) -> String {
        var text = ""
        for name in names {
            let isIdentifier =
                !name.isEmpty && !name.utf8.starts(with: "0".utf8)
                && name.utf8.allSatisfy { $0 == 0x5F || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
            text += isIdentifier ? ".\(name)" : (text.isEmpty ? "." : "") + "[\"\(name)\"]"
        }
        return text + "[]"
    }
}
