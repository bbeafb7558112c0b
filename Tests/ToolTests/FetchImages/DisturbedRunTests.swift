// One answer in twenty fails, each in another way, and nothing of it shows in what comes out.

import Foundation
import TestSupport
import Testing

@Suite("A run of which one answer in twenty fails, in all ways in turn")
struct DisturbedRunTests {
    /// As many records as make one request for two of them, with a picture each.
    private static func catalogue(_ count: Int, in folder: ScratchFolder) throws -> String {
        let pictures = ["fox.png", "bear.png", "bee.gif", "key.svg", "drop.bmp", "gem.ico", "owl.png"]
        let records = (1...count).map { number in
            let picture = pictures[number % pictures.count]
            return #"{"_id":\#(number),"name":"Number \#(number)","url":"/character/\#(number)","#
                + #""imageUrl":"@BASE@/images/\#(picture)?\#(number)"}"#
        }
        try folder.write("[\(records.joined(separator: ",\n"))]".utf8, to: "catalogue.json")
        return folder.path("catalogue.json")
    }

    private static func waysMet(_ server: LocalServer) throws -> Set<String> {
        Set(try server.requests.compactMap(\.fault))
    }

    @Test
    func `writes the same characters, byte for byte`() throws {
        let folder = try ScratchFolder()
        let catalogue = try Self.catalogue(1400, in: folder)
        let quiet = try LocalServer(catalogue: catalogue)
        let disturbed = try LocalServer(faults: ["every=20,in-turn=all"], catalogue: catalogue)
        let options = ["--page-size", "2", "--timeout", "500ms", "--seal", "--rate", "1000000/second"]
        let expected = try Session("fetch-characters", ["--base-url", quiet.url] + options)
        let run = try Session("fetch-characters", ["--base-url", disturbed.url] + options)
        #expect(expected.status == 0 && expected.lines.count == 1401)
        #expect(run.status == 0 && run.errors == "")
        #expect(run.text.replacing(disturbed.url, with: quiet.url) == expected.text)
        #expect(try Self.waysMet(disturbed).count == 25)
    }

    @Test
    func `fetches the same pictures and tells the same of them`() throws {
        let folder = try ScratchFolder()
        let catalogue = try Self.catalogue(700, in: folder)
        let quiet = try LocalServer(catalogue: catalogue)
        let disturbed = try LocalServer(
            faults: ["path=/images,every=40,in-turn=mended", "path=/images,every=40,in-turn=odd"],
            catalogue: catalogue)
        let told = { (server: LocalServer, name: String) in
            let run = try Session.script(
                """
                set -o pipefail
                fetch-characters --base-url \(server.url) --page-size 1000 --seal |
                    fetch-images --allow-private --dir \(name) --timeout 500ms
                """, folder: folder)
            #expect(run.status == 0 && run.errors == "", "\(run.errors)")
            return run.text.replacing(server.url, with: "").replacing("\(name)/", with: "")
        }
        #expect(try told(quiet, "quiet") == told(disturbed, "disturbed"))
        #expect(try Session.script("diff -r quiet disturbed", folder: folder).status == 0)
        #expect(try Self.waysMet(disturbed).count == 23)
    }
}
