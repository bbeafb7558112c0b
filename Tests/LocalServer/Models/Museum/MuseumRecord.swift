// An object of the museum as its first API told it, short in a list and long by itself.

/// The writer of records in one of the two languages.
struct MuseumRecord {
    let isDutch: Bool
    /// The address of the service.
    let base: String
    /// The origin of the pictures.
    let elsewhere: String

    private var culture: String { isDutch ? "nl" : "en" }

    private func title(_ work: Artwork) -> String { isDutch ? work.dutchTitle : work.title }

    private func maker(_ work: Artwork) -> String { isDutch ? work.maker.dutch : work.maker.english }

    private func longTitle(_ work: Artwork) -> String { "\(title(work)), \(maker(work)), \(work.year)" }

    func listed(_ work: Artwork) -> ModelJSON {
        let path = "/api/\(culture)/collection/\(work.objectNumber)"
        return [
            "links": [
                "self": .string(base + path),
                "web": .string("\(base)/\(culture)/collectie/\(work.objectNumber)"),
            ],
            "id": .string("\(culture)-\(work.objectNumber)"), "objectNumber": .string(work.objectNumber),
            "title": .string(title(work)), "hasImage": .bool(hasImage(work)),
            "principalOrFirstMaker": .string(maker(work)), "longTitle": .string(longTitle(work)),
            "showImage": .bool(hasImage(work)), "permitDownload": .bool(work.picture == .whole),
            "webImage": image(work),
            "headerImage": work.picture == .whole ? image(work) : Self.noHeaderImage,
            "productionPlaces": ["Pellow"],
        ]
    }

    /// What the API says, which isn't always so.
    private func hasImage(_ work: Artwork) -> Bool {
        switch work.index % 12 {
        case 7: true
        case 8: false
        default: work.picture == .whole
        }
    }

    private func image(_ work: Artwork) -> ModelJSON {
        guard work.picture == .whole else { return nil }
        return [
            "guid": "7ddf7567-acbd-4e39-b77b-\(100_000_000_000 + work.index)", "offsetPercentageX": 0,
            "offsetPercentageY": 0, "width": 96, "height": 96,
            "url": .string("\(elsewhere)/images/\(work.pictureFile)"),
        ]
    }

    private static let noHeaderImage: ModelJSON = [
        "guid": nil, "offsetPercentageX": 0, "offsetPercentageY": 0, "width": 0, "height": 0, "url": nil,
    ]

    func detail(_ work: Artwork) -> ModelJSON {
        [
            "links": ["search": .string("\(base)/api/\(culture)/collection")],
            "id": .string("\(culture)-\(work.objectNumber)"), "priref": "\(5000 + work.index)",
            "objectNumber": .string(work.objectNumber), "language": .string(culture), "title": .string(title(work)),
            "copyrightHolder": nil, "webImage": image(work), "colors": [["percentage": 81, "hex": "#261808"]],
            "titles": [.string(title(work))], "description": isDutch ? nil : .string(work.description),
            "labelText": nil, "objectTypes": [.string(isDutch ? work.type.dutch : work.type.english)],
            "principalMakers": [["name": .string(maker(work)), "nationality": nil, "roles": []]],
            "plaqueDescriptionDutch": nil, "plaqueDescriptionEnglish": .string(work.description),
            "principalMaker": .string(maker(work)),
            "materials": [.string(isDutch ? work.material.dutch : work.material.english)],
            "dating": ["presentingDate": "\(work.year)", "sortingDate": .number(work.year)],
            "hasImage": .bool(hasImage(work)),
            "dimensions": [["unit": "cm", "type": "hoogte", "precision": nil, "part": nil, "value": "37,5"]],
            "longTitle": .string(longTitle(work)), "subTitle": "h 37,5cm × b 45,5cm", "location": "HG-2.31",
        ]
    }
}
