// The project's own files that tests serve or read.

import Foundation

/// Paths in the checkout.
enum Fixtures {
    /// The checkout, found from where this file was compiled.
    static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The text of a page below `Documentation/`.
    static func document(_ path: String) throws -> String {
        try String(contentsOfFile: checkout + "/Documentation/" + path, encoding: .utf8)
    }

    /// The catalogue of the project's own invention.
    static let catalogue = checkout + "/Tests/LocalServer/Catalogue/characters.json"
    /// The directory of the other APIs' records, of its own invention too.
    static let records = checkout + "/Tests/LocalServer/Catalogue"
    static let pictures = checkout + "/Tests/LocalServer/Catalogue/pictures"
}
