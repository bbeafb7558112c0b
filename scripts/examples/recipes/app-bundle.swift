// Reads the files of app-bundle, as an app does. In an app the file is in the bundle:
// Bundle.main.url(forResource: "Catalogue", withExtension: "plist").
//
//     app-bundle Resources
//     swiftc Resources/CatalogueEntry.swift app-bundle.swift -o names && ./names Resources/Catalogue.plist

import Foundation

@main
enum Names {
    static func main() throws {
        let file = URL(fileURLWithPath: CommandLine.arguments[1])
        let entries = try PropertyListDecoder().decode([CatalogueEntry].self, from: Data(contentsOf: file))
        for entry in entries { print(entry.id, entry.name) }
    }
}
