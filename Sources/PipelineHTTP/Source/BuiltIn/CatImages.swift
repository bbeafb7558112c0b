// Pictures of https://api.thecatapi.com, of a breed under --each. They come in an order of chance, so one answer is all.

extension BuiltInSource {
    static let catImages = #"""
        {
          "name": "cat-images",
          "baseURL": "https://api.thecatapi.com/v1",
          "path": "/images/search",
          "headers": {"Accept": "application/json"},
          "query": {"limit": "10"},
          "records": "$",
          "pagination": {"type": "none"},
          "item": "/images/{id}",
          "each": {"parameter": "breed_ids"},
          "rate": "10/minute",
          "key": {"header": "x-api-key", "env": "CAT_API_KEY", "required": false},
          "members": {"id": "id", "name": "breeds[0].name", "imageURL": "url"}
        }

        """#
}
