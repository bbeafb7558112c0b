// The pictures of a record: where it is decided how several become one member, and when their record counts as failed.

import PipelineCore

struct RecordPicture {
    /// The member's URL; nil if the record names no picture, and for a data URL, which holds the picture itself.
    let url: String?
    var outcome = ImageOutcome()
    var isWaiting = false
}

/// Today a record has one; without a URL its outcome is `none`.
struct RecordPictures {
    private static let usualMemberBytes = 768
    var list: [RecordPicture] = []

    var isSettled: Bool { list.allSatisfy { !$0.isWaiting } }
    var images: [StoredImage] { list.compactMap(\.outcome.image) }
    /// Why the record counts as failed, if there is any.
    var failures: [(fault: ImageFault, picture: RecordPicture)] {
        list.filter { $0.outcome.status == .failed }.compactMap { picture in
            picture.outcome.fault.map { ($0, picture) }
        }
    }

    /// The member that reports the outcomes: its name, a colon and its value. That of several would be an array.
    func member() -> ByteBuffer {
        var member = ByteBuffer(capacity: Self.usualMemberBytes)
        member.append(text: "\"\(ImagesRun.memberName)\":")
        for picture in list { picture.outcome.write(url: picture.url, to: &member) }
        return member
    }

    /// Appends a comma and the member of `--embed`, if there is a picture.
    func appendData(to member: inout ByteBuffer) throws(ToolFailure) {
        for image in images {
            member.append(text: ",\"\(ImagesRun.dataName)\":\"")
            let bytes = try image.contents()
            member.append(Base64.encoded(bytes.span).span)
            member.append(UInt8(ascii: "\""))
        }
    }
}
