// Which APIs are served beside Disney's, and where.

import PipelineCore

/// The models of a run.
enum ModelList {
    /// What `--help` says of each.
    static let help = """
          /dogapi, /catapi     TheDogAPI and TheCatAPI, below /v1
          /rijksmuseum         the Rijksmuseum's search, resolver and pictures (Linked Art, IIIF)
          /rijksmuseum-v1      its first API, below /api/nl and /api/en
          /dogs                a list at /api/\(DogsListAPI.blob)
          /github              pages by Link headers, at /repos/pellow/lighthouse/issues
          /europeana           pages by a cursor, at /record/v2/search.json
          /smithsonian         pages by an offset, at /openaccess/api/v1.0/search
          /tokens              a list for those with a token, and the service that gives it
          and one for each file of apis/ among the records, under its name
        """

    /// - Throws: status 66 or 65 for a file of records.
    static func models(_ options: Options, pictures: Pictures, base: String) throws(ToolFailure) -> [any APIModel] {
        let elsewhere = BaseMark.elsewhere(base)
        var models: [any APIModel] = [
            MuseumAPI(elsewhere: elsewhere), LinkedArtAPI(pictures: pictures, elsewhere: elsewhere),
            IssuesAPI(elsewhere: elsewhere), HeritageAPI(elsewhere: elsewhere), OpenAccessAPI(elsewhere: elsewhere),
            TokenAPI(),
        ]
        guard let folder = options.recordsPath else { return models }
        for (prefix, name) in [("/dogapi", "dog"), ("/catapi", "cat")] {
            let catalogue = try PetCatalogue(name: name, folder: folder, base: base)
            models.append(
                PetAPI(
                    prefix: prefix, catalogue: catalogue, pictures: pictures, elsewhere: elsewhere,
                    seed: options.seed, startsListWithMark: name == "cat"))
        }
        models.append(DogsListAPI(records: try ModelRecords.read("dogs.json", folder: folder, base: base)))
        models += try ShapedAPI.all(in: folder + "/apis")
        return models
    }
}
