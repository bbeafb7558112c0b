// The pictures of a record: where it is decided how they become one member, and when their record counts as failed.
//
//     "imageFile":{…}                --pictures first
//     "imageFiles":[{…},{…}]         --pictures all

import PipelineCore

struct RecordPicture {
    /// The member's URL; nil if the record names no picture, and for a data URL, which holds the picture itself.
    let url: String?
    var outcome = ImageOutcome()
    var isWaiting = false
}

struct RecordPictures {
    /// More pictures of one record aren't fetched, as their outcomes have to be in memory together.
    static let limit = 10_000
    private static let usualMemberBytes = 768

    let choice: PictureChoice
    /// Empty if the record names no picture, and nothing stands in for one.
    var list: [RecordPicture] = []

    var isSettled: Bool { list.allSatisfy { !$0.isWaiting } }
    var images: [StoredImage] { list.compactMap(\.outcome.image) }
    /// Why there are no pictures, in their order. The record fails with the first.
    var failures: [(fault: ImageFault, picture: RecordPicture)] {
        list.filter { $0.outcome.status == .failed }.compactMap { picture in
            picture.outcome.fault.map { ($0, picture) }
        }
    }

    /// The member that reports the outcomes: its name, a colon and its value.
    func member() -> ByteBuffer {
        var member = ByteBuffer(capacity: Self.usualMemberBytes * max(1, list.count))
        member.append(text: "\"\(choice.memberName)\":")
        switch choice {
        case .first:
            let picture = list.first ?? RecordPicture(url: nil)
            picture.outcome.write(url: picture.url, to: &member)
        case .all:
            member.append(UInt8(ascii: "["))
            for (index, picture) in list.enumerated() {
                if index > 0 { member.append(UInt8(ascii: ",")) }
                picture.outcome.write(url: picture.url, to: &member)
            }
            member.append(UInt8(ascii: "]"))
        }
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
