// The Rijksmuseum's collection as Linked Art, https://data.rijksmuseum.nl: a list gives addresses, and a record is an
// object, what it shows, and the picture of that. Names and languages are codes of the Art & Architecture Thesaurus:
// 300312355 an object's number, 300417200 its primary name, 300388277 English, 300388256 Dutch. A code is written as an
// object with an id or as a text, a relation as an array, one of its elements, or an address, a content as a text or an
// array with one.

extension BuiltInSource {
    static let rijksmuseum = #"""
        {
          "name": "rijksmuseum",
          "baseURL": "https://data.rijksmuseum.nl",
          "path": "/search/collection",
          "headers": {"Accept": "application/ld+json"},
          "records": "$.orderedItems",
          "pagination": {"type": "next-url", "next": "$.next.id", "total": {"path": "$.partOf.totalItems"}},
          "search": {"parameter": "title"},
          "item": "/search/collection?objectNumber={id}",
          "rate": "5/second",
          "expand": [
            {"name": "object", "url": "id", "record": true, "origins": ["https://id.rijksmuseum.nl"]},
            {"name": "visual", "origins": ["https://id.rijksmuseum.nl"],
             "url": ["$.shows[0].id", "$.shows.id", "$.shows[0]", "$.shows"]},
            {"name": "digital", "origins": ["https://id.rijksmuseum.nl"],
             "url": ["$.digitally_shown_by[0].id", "$.digitally_shown_by.id", "$.digitally_shown_by[0]",
                     "$.digitally_shown_by"]}
          ],
          "members": {
            "id": [
              "$.identified_by[?@.classified_as[?search(@.id, '300312355$') || search(@, '300312355$')]].content",
              "$.identified_by[?@.classified_as[?search(@.id, '300312355$') || search(@, '300312355$')]].content[0]",
              "id"
            ],
            "name": [
              "$.identified_by[?@.type == 'Name' && @.classified_as[?search(@.id, '300417200$') || search(@, '300417200$')] && @.language[?search(@.id, '300388277$') || search(@, '300388277$')]].content",
              "$.identified_by[?@.type == 'Name' && @.classified_as[?search(@.id, '300417200$') || search(@, '300417200$')] && @.language[?search(@.id, '300388277$') || search(@, '300388277$')]].content[0]",
              "$.identified_by[?@.type == 'Name' && @.classified_as[?search(@.id, '300417200$') || search(@, '300417200$')]].content",
              "$.identified_by[?@.type == 'Name' && @.classified_as[?search(@.id, '300417200$') || search(@, '300417200$')]].content[0]",
              "$.identified_by[?@.type == 'Name'].content",
              "$.identified_by[?@.type == 'Name'].content[0]",
              "$.identified_by.content",
              "$.identified_by.content[0]"
            ],
            "description": [
              "$.subject_of[*].part[?@.classified_as[?search(@.id, '300048722$') || search(@, '300048722$')]].content",
              "$.subject_of[*].part[?@.classified_as[?search(@.id, '300048722$') || search(@, '300048722$')]].content[0]",
              "$.referred_to_by[?@.classified_as[?search(@.id, '300048722$') || search(@, '300048722$')]].content",
              "$.referred_to_by[?@.classified_as[?search(@.id, '300048722$') || search(@, '300048722$')]].content[0]"
            ],
            "imageURL": [
              {"step": "digital", "path": "$.access_point[0].id", "replace": "/full/max/", "with": "/full/!800,800/"},
              {"step": "digital", "path": "$.access_point.id", "replace": "/full/max/", "with": "/full/!800,800/"},
              {"step": "digital", "path": "$.access_point[0]", "replace": "/full/max/", "with": "/full/!800,800/"},
              {"step": "digital", "path": "$.access_point", "replace": "/full/max/", "with": "/full/!800,800/"}
            ],
            "pageURL": "$.subject_of[*].digitally_carried_by[*].access_point[*].id"
          }
        }

        """#
}
