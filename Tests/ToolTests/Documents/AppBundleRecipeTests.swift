// The recipe that makes a property list for an app and the Swift type that decodes it, run as its users run it.

import Foundation
import TestSupport
import Testing

@Suite("The recipe for an app's bundle")
struct AppBundleRecipeTests {
    private static let recipe = Fixtures.checkout + "/scripts/examples/recipes/app-bundle"

    @Test(.enabled(if: Executables.testsPackages && Shells.has("swiftc"), "scripts/test --packages runs it"))
    func `makes a property list and the type that decodes it`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let made = try room.run("mkdir Resources && \(Self.recipe) Resources && ls -A Resources")
        #expect(made.status == 0 && made.errors == "", "\(made.errors)")
        #expect(made.lines == ["Catalogue.plist", "CatalogueEntry.swift"])
        let names = try Session.script(
            """
            swiftc Resources/CatalogueEntry.swift \(Self.recipe).swift -o names && ./names Resources/Catalogue.plist
            """, folder: room.folder, limitSeconds: 300)
        #expect(names.status == 0 && names.lines.count == 120, "\(names.errors)")
        #expect(names.lines.first == "214 Mick Tidewater")
    }

    @Test
    func `leaves files that would be the same as they are`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let again = try room.run(
            """
            \(Self.recipe) . && touch -d '1 hour ago' Catalogue* && touch mark && \(Self.recipe) . &&
                find . -newer mark -name 'Catalogue*' && \(Self.recipe) . --search mick && find . -newer mark -name '*.plist'
            """)
        #expect(again.status == 0 && again.lines == ["./Catalogue.plist"], "\(again.errors)")
    }

    @Test(arguments: ["<plist><dict><key>CFBundleName</key><string>App</string></dict></plist>", "precious"])
    func `leaves a file that isn't a catalogue alone`(content: String) throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        try room.folder.write(content.utf8, to: "Catalogue.plist")
        let run = try room.run("\(Self.recipe) .; echo $?; ls -A | grep -v '^\\.bin$'")
        #expect(run.lines == ["65", "Catalogue.plist"] && run.errors.contains("it is unchanged"), "\(run.errors)")
        #expect(try room.folder.text("Catalogue.plist") == content)
    }
}
