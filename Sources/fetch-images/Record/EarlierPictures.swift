// What a record that has been here before says of its pictures: with it a picture that the store still has stays in its
// record where its host is down and no cache knows the URL any more.
//
//     {"name":"Mick","imageURL":"https://…","imageFile":{"url":"https://…","sha256":"ab12…","bytes":8211,…}}

import PipelineCore
import PipelineHTTP

struct EarlierPictures {
    private let known: [(url: String, image: StoredImage)]

    /// - Parameter line: a record's, with the members that give way to the new ones.
    init(_ line: Span<UInt8>, _ choice: PictureChoice, in directory: String) {
        let record = Self.record(line)
        let members = choice.replacedNames.compactMap { record?[$0] }.flatMap(Self.elements)
        known = members.compactMap { member in
            guard let url = member["url"]?.string, let image = Self.image(member, in: directory) else { return nil }
            return (url, image)
        }
    }

    func image(of url: String) -> StoredImage? { known.first { $0.url == url }?.image }

    /// Nil if there isn't the memory for it: that it is a record is known.
    private static func record(_ line: Span<UInt8>) -> JSONTree? {
        do throws(JSONError) { return try JSONTree.read(line) } catch { return nil }
    }

    private static func elements(_ member: JSONTree) -> [JSONTree] {
        if case .array(let elements) = member { elements } else { [member] }
    }

    private static func image(_ member: JSONTree, in directory: String) -> StoredImage? {
        guard member["status"]?.string == ImageOutcome.Status.ok.rawValue,
            let name = member["path"]?.string?.split(separator: "/").last,
            let digest = StoredImage.digest(ofFile: String(name)), digest == (member["sha256"]?.string ?? ""),
            let type = ImageType(rawValue: String(name.dropFirst(digest.count + 1))),
            let bytes = member["bytes"]?.integer
        else { return nil }
        var size: ImageSize?
        if let width = member["width"]?.integer, let height = member["height"]?.integer {
            size = ImageSize(width: width, height: height)
        }
        return StoredImage(
            directory: directory, sha256: String(digest), bytes: bytes, facts: ImageInfo(type: type, size: size))
    }
}
