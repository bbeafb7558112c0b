// The sources that the tool knows by name. Each is a description as a user would write it: a JSON file in BuiltIn,
// which the build embeds. To add one, put its file there and its line here.
//
// In rijksmuseum.json, names and languages are codes of the Art & Architecture Thesaurus: 300312355 is an object's
// number, 300417200 its primary name, 300388277 English, 300388256 Dutch, 300048722 an essay. Linked Art writes a
// code as an object with an id or as text, a relation as an array, one of its elements, or a URL, and content as
// text or an array with one text. Hence the several paths per member.

/// A description built into the tool.
struct BuiltInSource: Sendable {
    let name: String
    private let json: [UInt8]

    private init(_ name: String, _ json: [UInt8]) {
        self.name = name
        self.json = json
    }

    /// The description as JSON.
    var description: String { String(decoding: json, as: UTF8.self) }

    /// All built-in sources, the default first.
    static let all = [
        BuiltInSource("disney", PackageResources.disney_json),
        BuiltInSource("dog-breeds", PackageResources.dog_breeds_json),
        BuiltInSource("cat-breeds", PackageResources.cat_breeds_json),
        BuiltInSource("cat-images", PackageResources.cat_images_json),
        BuiltInSource("rijksmuseum", PackageResources.rijksmuseum_json),
        BuiltInSource("rijksmuseum-v1", PackageResources.rijksmuseum_v1_json),
        BuiltInSource("dogs", PackageResources.dogs_json),
        BuiltInSource("array", PackageResources.array_json),
        BuiltInSource("lines", PackageResources.lines_json),
    ]
}
