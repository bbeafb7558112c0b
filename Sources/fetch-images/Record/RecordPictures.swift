// The pictures of a record, and what is written of them. Today a record has one; without a URL its outcome is `none`.

import PipelineCore

struct RecordPicture {
    /// As the member tells it; nil if there is none, or if the URL holds the picture.
    let url: String?
    var outcome = ImageOutcome()
    var isWaiting = false
}

struct RecordPictures {
    private static let usualMemberBytes = 768

    var list: [RecordPicture] = []

    var isSettled: Bool { list.allSatisfy { !$0.isWaiting } }
    var images: [StoredImage] { list.compactMap(\.outcome.image) }
    var urlBytes: Int { list.reduce(0) { $0 + ($1.url?.utf8.count ?? 0) } }

    /// The member that reports the outcomes: its name, a colon and its value.
    func member(_ settings: ImagesSettings) -> ByteBuffer {
        var member = ByteBuffer(capacity: Self.usualMemberBytes)
        for picture in list {
            picture.outcome.write(
                settings.memberName, url: picture.url, tellsFetch: settings.tellsFetch, to: &member)
        }
        return member
    }

    /// Appends a comma and the member of `--embed`, if there is a picture.
    func appendData(to member: inout ByteBuffer) throws(ToolFailure) {
        for image in images {
            member.append(text: ",\"\(ImagesRun.dataName)\":\"")
            let bytes = try image.contents()
            Base64.append(bytes.span, to: &member)
            member.append(UInt8(ascii: "\""))
        }
    }
}
