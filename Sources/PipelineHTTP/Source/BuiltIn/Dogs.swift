// A list of five dogs at https://jsonblob.com, which have no ids.

extension BuiltInSource {
    static let dogs = #"""
        {
          "name": "dogs",
          "baseURL": "https://jsonblob.com",
          "path": "/api/1151549092634943488",
          "headers": {"Accept": "application/json"},
          "records": "$",
          "pagination": {"type": "none"},
          "rate": "1/second",
          "members": {"name": "dogName", "description": "description", "imageURL": "image"}
        }

        """#
}
