// The characters of https://api.disneyapi.dev.

extension BuiltInSource {
    static let disney = #"""
        {
          "name": "disney",
          "baseURL": "https://api.disneyapi.dev",
          "path": "/character",
          "headers": {"Accept": "application/json"},
          "records": "$.data",
          "pagination": {"type": "page", "parameter": "page", "first": 1,
                         "size": {"parameter": "pageSize", "value": 50}, "pages": {"path": "$.info.totalPages"}},
          "search": {"parameter": "name", "escape": "regex"},
          "item": "/character/{id}",
          "rate": "5/second",
          "members": {"id": "_id", "name": "name", "imageURL": "imageUrl", "pageURL": ["sourceUrl", "url"]}
        }

        """#
}
