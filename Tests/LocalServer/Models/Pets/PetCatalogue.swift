// The breeds and pictures of one of the two pet services.

import PipelineCore

/// A picture of the service: what is told of it, and the file that is served for it.
struct PetImage: Sendable {
    let id: String
    /// Of its address: mostly right, `false` for some.
    let suffix: String
    /// The name of the file among the server's pictures.
    let picture: String
    let width: Int
    let height: Int
    /// The ids of the breeds on it.
    let breeds: [String]
}

/// All that one service holds.
struct PetCatalogue: Sendable {
    let breeds: [ModelRecord]
    let images: [PetImage]

    /// Reads `NAME-breeds.json`, records as the service has them but for their `image`, and `NAME-images.json`.
    init(name: String, folder: String, base: String) throws(ToolFailure) {
        breeds = try ModelRecords.read("\(name)-breeds.json", folder: folder, base: base)
        images = try ModelRecords.read("\(name)-images.json", folder: folder, base: base).map { record in
            PetImage(
                id: record.text("id") ?? "", suffix: record.text("suffix") ?? "png",
                picture: record.text("picture") ?? "", width: record.number("width"),
                height: record.number("height"), breeds: record.texts("breeds"))
        }
    }

    func breed(_ id: String) -> ModelRecord? { breeds.first { $0.text("id") == id } }

    func image(_ id: String) -> PetImage? { images.first { $0.id == id } }

    /// Whether the text is in the breed's name, in any case.
    func breeds(named text: String) -> [ModelRecord] {
        let wanted = text.lowercased()
        return breeds.filter { $0.text("name")?.lowercased().contains(wanted) ?? false }
    }
}
