// The museum's objects as Linked Art (https://linked.art/model): the object, what it shows, and the digital object.
//
// A relation is an array, or one object, or a bare address; a content is a string or an array of one; a classification is
// an object or an address. Which, depends on the object. Some ways to a picture end before the picture.

import Foundation

/// The writer of the three kinds of entities.
struct LinkedArtObject {
    /// The address of the service.
    let base: String
    /// The address of the pictures.
    let pictures: String

    static func objectID(_ work: Artwork) -> String { "2001\(padded(work.index * 37, 5))" }
    static func visualID(_ work: Artwork) -> String { "2021\(padded(work.index * 37, 5))" }
    /// Of 23 digits: more than any number type holds.
    static func digitalID(_ work: Artwork) -> String { "500122671045176\(padded(work.index * 7919, 8))" }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// The entity of that number, nil where there is none.
    func entity(_ number: String) -> ModelJSON? {
        for work in Artwork.all {
            if number == Self.objectID(work) { return object(work) }
            if number == Self.visualID(work), work.picture != .noVisualItem { return visualItem(work) }
            if number == Self.digitalID(work), work.picture == .whole || work.picture == .noFile {
                return digitalObject(work)
            }
        }
        return nil
    }

    private func id(_ number: String) -> String { "\(base)/id/\(number)" }

    /// A relation in one of the forms that it can have.
    private func relation(_ address: String, _ type: String, form: Int) -> ModelJSON {
        let object: ModelJSON = ["id": .string(address), "type": .string(type)]
        return switch form % 5 {
        case 2: object
        case 3: .string(address)
        case 4: [.string(address)]
        default: [object]
        }
    }

    private func object(_ work: Artwork) -> ModelJSON {
        var members: [(name: String, value: ModelJSON)] = [
            ("@context", "https://linked.art/ns/v1/linked-art.json"), ("id", .string(id(Self.objectID(work)))),
            ("type", "HumanMadeObject"), ("produced_by", LinkedArtTexts.production(work)),
            ("subject_of", subjects(work)), ("identified_by", .array(LinkedArtTexts.names(work))),
            (
                "classified_as",
                [["type": "Type", "notation": LinkedArtTexts.notation(work.type), "equivalent": []]]
            ),
            ("made_of", [["type": "Material", "notation": LinkedArtTexts.notation(work.material)]]),
        ]
        if work.picture != .noVisualItem {
            members.append(("shows", relation(id(Self.visualID(work)), "VisualItem", form: work.index)))
        }
        members.append(("referred_to_by", .array(LinkedArtTexts.statements(work))))
        return .object(members)
    }

    /// The page about it, and for most the description.
    private func subjects(_ work: Artwork) -> ModelJSON {
        let page = "\(base)/collectie/object/\(work.objectNumber)"
        var subjects: [ModelJSON] = [
            [
                "type": "LinguisticObject",
                "digitally_carried_by": [
                    [
                        "type": "DigitalObject", "format": "text/html",
                        "access_point": [["id": .string(page), "type": "DigitalObject"]],
                    ]
                ],
            ]
        ]
        if !LinkedArtTexts.isDescribedInStatements(work) {
            subjects.append(["type": "LinguisticObject", "part": [LinkedArtTexts.description(work)]])
        }
        return .array(subjects)
    }

    private func visualItem(_ work: Artwork) -> ModelJSON {
        let rights: ModelJSON = [
            "type": "Right", "classified_as": [["id": "https://creativecommons.org/publicdomain/zero/1.0/"]],
        ]
        var members: [(name: String, value: ModelJSON)] = [
            ("@context", "https://linked.art/ns/v1/linked-art.json"), ("id", .string(id(Self.visualID(work)))),
            ("type", "VisualItem"), ("subject_to", [rights]),
        ]
        if work.picture != .noDigitalObject {
            let relation = relation(id(Self.digitalID(work)), "DigitalObject", form: work.index + 1)
            members.append(("digitally_shown_by", relation))
        }
        return .object(members)
    }

    private func digitalObject(_ work: Artwork) -> ModelJSON {
        let name = work.pictureFile.split(separator: ".")[0]
        let address = "\(pictures)/iiif/\(name)/full/max/0/default.png"
        let hasFile = work.picture == .whole
        return [
            "@context": "https://linked.art/ns/v1/linked-art.json", "id": .string(id(Self.digitalID(work))),
            "type": "DigitalObject",
            "access_point": hasFile ? relation(address, "DigitalObject", form: work.index + 2) : [],
        ]
    }
}
