// The sources that the tool knows by name. Each is a description as a user would write it, in a file of its own.

extension Source {
    /// The descriptions by name, the default first.
    package static let builtIn: [(name: String, description: String)] = [
        ("disney", BuiltInSource.disney), ("dog-breeds", BuiltInSource.dogBreeds),
        ("cat-breeds", BuiltInSource.catBreeds), ("cat-images", BuiltInSource.catImages),
        ("rijksmuseum", BuiltInSource.rijksmuseum), ("rijksmuseum-v1", BuiltInSource.rijksmuseumV1),
        ("dogs", BuiltInSource.dogs),
    ]
}

/// The descriptions that come with the tool.
enum BuiltInSource {}
