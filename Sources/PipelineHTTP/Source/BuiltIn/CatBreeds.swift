// The breeds of https://api.thecatapi.com.

extension BuiltInSource {
    static let catBreeds = #"""
        {
          "name": "cat-breeds",
          "baseURL": "https://api.thecatapi.com/v1",
          "path": "/breeds",
          "headers": {"Accept": "application/json"},
          "records": "$",
          "pagination": {"type": "page", "parameter": "page", "first": 0,
                         "size": {"parameter": "limit", "value": 100}, "total": {"header": "Pagination-Count"}},
          "search": {"path": "/breeds/search?attach_image=1", "parameter": "q"},
          "item": "/breeds/{id}",
          "rate": "10/minute",
          "key": {"header": "x-api-key", "env": "CAT_API_KEY", "required": false},
          "members": {"id": "id", "name": "name", "description": ["description", "temperament"],
                      "imageURL": "image.url", "pageURL": "wikipedia_url"}
        }

        """#
}
