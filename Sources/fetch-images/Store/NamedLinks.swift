// Readable names for the pictures: hard links in the store's directory.
//
//     images/ab/ab12….png
//     images/Mick.png            the same file
//     images/Mick (2).png        another Mick's

import PipelineCore
import PipelineHTTP

/// Names pictures.
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

    /// Names a picture in the store. The same picture keeps a name that it already has. One that has as many names
    /// as the file system allows gets no further one, and a warning says so.
    /// - Throws: status 73 if the file system has no hard links, or no space.
    mutating func name(_ image: StoredImage, _ text: String) throws(ToolFailure) {
        let name = SafeFileName.name(text)
        do throws(SystemError) {
            try list()
            let file = "\(name).\(image.facts.type.fileExtension)"
            guard let inode = FileLocation.status(ofPath: image.path)?.inode else { return }
            if image.replaced == nil, given.contains(Self.key(file, inode)) { return }
            let key = SafeFileName.collisionKey(file)
            var number = image.replaced == nil ? numbers[key, default: 1] : 1
            while try !link(image, inode, name, number) { number += 1 }
            if number > 1 { numbers[key] = number + 1 }
        } catch {
            guard !error.isTooManyLinks else { return warn(error) }
            throw ToolFailure(
                .cannotCreate, error.advice(orElse: "leave out --name, or choose another --dir"))
        }
    }

    private mutating func link(
        _ image: StoredImage, _ inode: UInt64, _ name: String, _ number: Int
    ) throws(SystemError) -> Bool {
        let ending = "." + image.facts.type.fileExtension
        let file = (number == 1 ? name : "\(name) (\(number))") + ending
        let path = ImageStore.joined(directory, file)
        let key = SafeFileName.collisionKey(file)
        if taken.contains(key) {
            guard let status = FileLocation.status(ofName: path) else { return false }
            // A name of the damaged file belongs to this picture.
            if let replaced = image.replaced, status.isSameFile(as: replaced) {
                try FileLink.replace(path, by: image.path)
                return true
            }
        }
        guard try FileLink.make(path, to: image.path) else { return false }
        taken.insert(key)
        given.insert(Self.key(file, inode))
        given.insert(Self.key(name + ending, inode))
        return true
    }

    private mutating func list() throws(SystemError) {
        guard !isListed else { return }
        isListed = true
        for name in try Directory.names(directory) {
            taken.insert(SafeFileName.collisionKey(name))
            guard let status = FileLocation.status(ofName: ImageStore.joined(directory, name)), status.isRegular
            else {
                continue
            }
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

    /// Whether `name` may have given the name, which ends in `ending`.
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

    private mutating func warn(_ error: SystemError) {
        guard !hasWarned else { return }
        hasWarned = true
        diagnostics.warning("\(error); its further names are left out")
    }
}
