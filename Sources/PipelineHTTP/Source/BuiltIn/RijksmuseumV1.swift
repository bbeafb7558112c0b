// The Rijksmuseum's older API, for those who have a key and a mirror: it gives the first 10,000 records of a search.

extension BuiltInSource {
    static let rijksmuseumV1 = #"""
        {
          "name": "rijksmuseum-v1",
          "baseURL": "https://www.rijksmuseum.nl/api",
          "path": "/en/collection",
          "query": {"format": "json"},
          "records": "$['artObjects', 'artObject']",
          "pagination": {"type": "page", "parameter": "p", "first": 1,
                         "size": {"parameter": "ps", "value": 100}, "total": {"path": "$.count"}},
          "search": {"parameter": "q"},
          "item": "/en/collection/{id}?format=json",
          "rate": "100/minute",
          "key": {"query": "key", "env": "RIJKSMUSEUM_API_KEY", "required": true},
          "members": {"id": "objectNumber", "name": "title",
                      "description": ["description", "plaqueDescription", "longTitle"],
                      "imageURL": ["webImage.url", "headerImage.url"], "pageURL": "links.web"}
        }

        """#
}
