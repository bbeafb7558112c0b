// Readable names beside the pictures: hard links in the store's directory.
//
//     images/ab/ab12….png
//     images/Mick.png            the same file
//     images/Mick (2).png        another Mick's

import PipelineCore

/// Gives pictures their names.
struct NameLinks {
    private let directory: String
    /// Keys of the names that are taken, by this run and earlier ones; numbers, as there may be many.
    private var taken: Set<Int> = []
    private var isListed = false

    init(_ directory: String) { self.directory = directory }

    /// Names a picture that is in the store. The same picture keeps a name that it has already.
    /// - Throws: status 73 where the file system has no such links, or no room.
    mutating func name(_ image: StoredImage, _ text: String) throws(ToolFailure) {
        let name = SafeFileName.name(text)
        do throws(SystemError) {
            try list()
            var number = 1
            while try !link(image, number == 1 ? name : "\(name) (\(number))") { number += 1 }
        } catch {
            throw ToolFailure(.cannotCreate, "\(error); leave out --name, or choose another --dir")
        }
    }

    private mutating func link(_ image: StoredImage, _ name: String) throws(SystemError) -> Bool {
        let file = "\(name).\(image.facts.type.fileExtension)"
        let path = ImageStore.joined(directory, file)
        let key = SafeFileName.collisionKey(file)
        if taken.contains(key) {
            guard let status = FilePlace.status(ofPath: path) else { return false }
            // A name of the damaged file is this picture's.
            if let replaced = image.replaced, status.isSameFile(as: replaced) {
                try FileLink.replace(path, by: image.path)
                return true
            }
        }
        guard try FileLink.make(path, to: image.path) else { return false }
        taken.insert(key)
        return true
    }

    private mutating func list() throws(SystemError) {
        guard !isListed else { return }
        isListed = true
        for name in try Directory.names(directory) { taken.insert(SafeFileName.collisionKey(name)) }
    }
}
