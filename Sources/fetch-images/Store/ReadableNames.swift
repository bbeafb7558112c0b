// Readable names for the pictures: hard links in the store's directory.
//
//     images/ab/ab12….png
//     images/Mick.png            the same file
//     images/Mick (2).png        another Mick's

package import PipelineCore
import PipelineHTTP

struct NamedLinks {
    private let directory: String
    private let diagnostics: Diagnostics
    // Keys of names are hashes, since there may be many.
    /// Names that this run or an earlier one has taken.
    private var taken: Set<Int> = []
    /// Names of a picture, each with its inode; for `Mick (2)` also `Mick`.
    private var given: Set<Int> = []
    /// The number to try first, for names that got numbers in this run.
    private var numbers: [Int: Int] = [:]
    private var isListed = false
    private var hasWarned = false

    init(_ directory: String, _ diagnostics: Diagnostics) {
        self.directory = directory
        self.diagnostics = diagnostics
    }

    /// The same picture keeps a name that it has. One with as many names as the file system allows gets no further one.
    /// - Throws: status 73 if the file system has no hard links, or no space.
    mutating func name(_ image: StoredImage, _ text: String) throws(ToolFailure) {
        let ending = "." + image.facts.type.fileExtension
        var name = SafeFileName.name(text)
        // A record may have a file's name: Mick.png isn't to become Mick.png.png.
        if name.lowercased().hasSuffix(ending) { name = SafeFileName.name(String(name.dropLast(ending.count))) }
        do throws(SystemError) {
            try list()
            let file = name + ending
            guard let inode = FileLocation.status(ofPath: image.path)?.inode else { return }
            if image.replaced == nil, given.contains(Self.key(file, inode)) { return }
            let key = SafeFileName.collisionKey(file)
            var number = image.replaced == nil ? numbers[key, default: 1] : 1
            while try !link(image, inode, (name, ending), number) { number += 1 }
            if number > 1 { numbers[key] = number + 1 }
        } catch {
            guard error.isTooManyLinks else {
                throw ToolFailure(
                    .cannotCreate, error.advice(orElse: "leave out --name, or choose another --dir"))
            }
            if !hasWarned { diagnostics.warning("\(error); its further names are left out") }
            hasWarned = true
        }
    }

    private mutating func link(
        _ image: StoredImage, _ inode: UInt64, _ parts: (name: String, ending: String), _ number: Int
    ) throws(SystemError) -> Bool {
        let file = (number == 1 ? parts.name : "\(parts.name) (\(number))") + parts.ending
        let path = StoreDirectory.joined(directory, file)
        let key = SafeFileName.collisionKey(file)
        if taken.contains(key) {
            guard let status = FileLocation.Status(path, followsLink: false) else { return false }
            // A name of the damaged file belongs to this picture.
            if let replaced = image.replaced, status.isSameFile(as: replaced) {
                try FileLocation.replace(path, byLinkTo: image.path)
                return true
            }
        }
        guard try FileLocation.makeLink(path, to: image.path) else { return false }
        taken.insert(key)
        given.insert(Self.key(file, inode))
        given.insert(Self.key(parts.name + parts.ending, inode))
        return true
    }

    private mutating func list() throws(SystemError) {
        guard !isListed else { return }
        isListed = true
        for name in try Directory.names(directory) {
            taken.insert(SafeFileName.collisionKey(name))
            let status = FileLocation.Status(StoreDirectory.joined(directory, name), followsLink: false)
            guard let status, status.isRegular else { continue }
            given.insert(Self.key(name, status.inode))
            given.insert(Self.key(Self.withoutNumber(name), status.inode))
        }
    }

    private static func key(_ name: String, _ inode: UInt64) -> Int {
        var hasher = Hasher()
        hasher.combine(SafeFileName.collisionKey(name))
        hasher.combine(inode)
        return hasher.finalize()
    }

    static func mayHaveGiven(_ name: String, _ ending: some StringProtocol) -> Bool {
        guard name.hasSuffix(ending) else { return false }
        let text = String(withoutNumber(name).dropLast(ending.count))
        return SafeFileName.name(text) == text
    }

    /// `Mick.png` for `Mick (2).png`.
    private static func withoutNumber(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), name[..<dot].hasSuffix(")"),
            let open = name[..<dot].lastIndex(of: "("), name[..<open].hasSuffix(" "),
            name[open..<dot].dropFirst().dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
        else { return name }
        return String(name[..<open].dropLast() + name[dot...])
    }
}

/// `--name`: the name of a picture, made from members of its record.
///
///     {name} ({id})       {"name":"Mick","id":7}  →  Mick (7).png
package struct NameTemplate: Sendable {
    private let texts: [String]
    /// The members in the template; each follows the text of the same index.
    package let fields: [JSONPath]

    package init(_ template: String) throws(UsageError) {
        var texts: [String] = []
        var fields: [JSONPath] = []
        var rest = template.unicodeScalars[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{" else { throw Self.wrong(template) }
            texts.append(String(rest[..<brace]))
            let start = rest[brace...].dropFirst()
            guard !start.isEmpty, start.first != "}" else {
                throw Self.wrong(template, lacks: "a member's name in the braces")
            }
            let (field, behind) = try ArgumentValue.pathPrefix(of: String(start), option: "--name")
            guard behind.first == "}" else { throw Self.wrong(template) }
            fields.append(field)
            rest = behind.dropFirst()
        }
        guard !fields.isEmpty else {
            throw UsageError("--name takes a template with a member in braces, such as '{name}', not '\(template)'")
        }
        self.texts = texts + [String(rest)]
        self.fields = fields
    }

    private static func wrong(_ template: String, lacks part: String = "pairs of braces") -> UsageError {
        UsageError("--name takes a template such as '{name}', with \(part), not '\(template)'")
    }

    /// - Parameter values: of the fields; a missing one is replaced by nothing.
    package func text(_ values: [String?]) -> String {
        var text = ""
        for (index, value) in values.enumerated() { text += texts[index] + (value ?? "") }
        return text + texts[values.count]
    }
}

/// Makes file names from untrusted data that every file system accepts and that mean nothing special to a shell.
///
///     ../Mick: "the" Mouse.       Mick_ _the_ Mouse
///     CON                         _CON
///     -rf                         rf
package enum SafeFileName {
    /// The most bytes of a name on common file systems.
    private static let limitBytes = 255
    /// Room for a number after the name, ` (1234567)`, and for an extension.
    private static let reservedBytes = 16
    private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    /// Names of devices on Windows, with any extension.
    private static let devices = Set(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + "123456789¹²³".flatMap { ["COM\($0)", "LPT\($0)"] })

    /// Control characters, and characters that change the text direction or can't be seen.
    private static let invisible: Set<Unicode.GeneralCategory> = [
        .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator,
    ]
    /// What combines with the character before it; if that one is dropped, there is none.
    private static let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .enclosingMark, .spacingMark]

    /// - Returns: a name that is never empty: `picture` if no character is usable.
    package static func name(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if forbidden.contains(scalar) {
                scalars.append("_")
            } else if scalar.properties.isWhitespace {
                scalars.append(" ")
            } else if !invisible.contains(scalar.properties.generalCategory) {
                scalars.append(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").joined(separator: " ")
        let start = words.unicodeScalars.drop {
            " .-_".unicodeScalars.contains($0) || marks.contains($0.properties.generalCategory)
        }
        var bytes = 0
        let kept = String(start).prefix { character in
            bytes += character.utf8.count
            return bytes <= limitBytes - reservedBytes
        }
        let name = String(kept.trimmed { " .".contains($0) })
        guard !name.isEmpty else { return "picture" }
        let first = name.prefix { $0 != "." }.trimmed { $0 == " " }
        return devices.contains(String(first).uppercased()) ? "_" + name : name
    }

    /// Equal for two names that some file system takes for one: a string's hash ignores the composition of letters.
    package static func collisionKey(_ name: String) -> Int { name.lowercased().hashValue }
}
