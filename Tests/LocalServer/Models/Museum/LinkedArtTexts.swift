// The texts of an object in Linked Art, told apart by codes of the Art & Architecture Thesaurus.

/// Names, descriptions and makers.
enum LinkedArtTexts {
    private static let thesaurus = "http://vocab.getty.edu/aat/"
    static let objectNumber = "300312355"
    static let primaryName = "300417200"
    static let english = "300388277"
    static let dutch = "300388256"
    static let descriptionKind = "300048722"
    static let shortStatement = "300435417"
    static let longStatement = "300435416"
    static let dimensions = "300435430"

    /// A code as an object, or as a bare address.
    private static func codes(_ code: String, asAddress: Bool) -> ModelJSON {
        let address = ModelJSON.string(thesaurus + code)
        return asAddress ? [address] : [["id": address, "type": "Type"]]
    }

    private static func text(
        _ content: String, _ type: String = "LinguisticObject", kind: String? = nil, language: String? = nil,
        form: Int
    ) -> ModelJSON {
        let isList = form % 17 == 2
        var members: [(name: String, value: ModelJSON)] = [
            ("type", .string(type)), ("content", isList ? [.string(content)] : .string(content)),
        ]
        if let kind { members.append(("classified_as", codes(kind, asAddress: form % 4 == 3))) }
        if let language { members.append(("language", codes(language, asAddress: form % 4 == 1))) }
        return .object(members)
    }

    /// A former title first for some; then the number, and the primary names, English or Dutch first.
    static func names(_ work: Artwork) -> [ModelJSON] {
        let form = work.index
        var names: [ModelJSON] = []
        if form % 8 == 6 { names.append(text("Formerly: Untitled", "Name", form: 0)) }
        names.append(text(work.objectNumber, "Identifier", kind: objectNumber, form: form == 2 ? 0 : form))
        let dutchName = text(work.dutchTitle, "Name", kind: primaryName, language: dutch, form: form)
        guard let title = work.englishTitle else { return names + [dutchName] }
        let englishName = text(title, "Name", kind: primaryName, language: english, form: form)
        return names + (form % 2 == 0 ? [englishName, dutchName] : [dutchName, englishName])
    }

    static func isDescribedInStatements(_ work: Artwork) -> Bool { work.index % 6 == 1 }

    static func description(_ work: Artwork) -> ModelJSON {
        text(work.description, kind: descriptionKind, language: english, form: work.index)
    }

    static func statements(_ work: Artwork) -> [ModelJSON] {
        let size = text("height 96 mm x width 96 mm", kind: dimensions, language: english, form: work.index)
        return isDescribedInStatements(work) ? [size, description(work)] : [size]
    }

    static func production(_ work: Artwork) -> ModelJSON {
        let maker: [ModelJSON] = [
            text("maker: " + work.maker.dutch, kind: longStatement, language: dutch, form: work.index),
            text(work.maker.dutch, kind: shortStatement, language: dutch, form: work.index),
            text(work.maker.english, kind: shortStatement, language: english, form: work.index),
        ]
        return [
            "type": "Production", "technique": [["type": "Type", "notation": notation(work.technique)]],
            "timespan": [
                "type": "TimeSpan",
                "identified_by": [text("\(work.year)", "Name", language: english, form: work.index)],
                "begin_of_the_begin": "\(work.year)-01-01T00:00:00Z",
                "end_of_the_end": "\(work.year)-12-31T23:59:59Z",
            ],
            "part": [["type": "Production", "referred_to_by": .array(maker)]],
        ]
    }

    static func notation(_ text: Bilingual) -> ModelJSON {
        [
            ["@language": "nl", "@value": .string(text.dutch)],
            ["@language": "en", "@value": .string(text.english)],
        ]
    }
}
