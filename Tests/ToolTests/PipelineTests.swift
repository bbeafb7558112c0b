// The whole pipeline as its users write it: one line of shell, and what it leaves.

import Foundation
import TestSupport
import Testing

@Suite struct PipelineTests {
    static let names = [
        "Mick Tidewater", "Count Mickelbrook", "MICKLEBERRY JAM", "Mick of the Marsh", "Sandy McMickle",
        "Minna Mickelsson",
    ]

    private func names(_ file: String, in folder: ScratchFolder) throws -> [String] {
        let list = try unsafe PropertyListSerialization.propertyList(from: Data(folder.bytes(file)), format: nil)
        return try #require(list as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    @Test func `what it leaves is a property list that other programs read`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let run = try Session.script(
            """
            set -o pipefail
            fetch-characters --base-url \(server.url) | filter-search Mick |
                fetch-images --allow-private | store-plist
            """, folder: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasPrefix(#"{"stored":"characters.plist","format":"xml","records":6,"#))
        #expect(try names("characters.plist", in: folder) == Self.names)
        let python = try Session.script(
            """
            command -v python3 >/dev/null || exit 0
            python3 -c 'import plistlib
            for r in plistlib.load(open("characters.plist", "rb")): print(r["name"], r["imageFile"]["status"])'
            """, folder: folder)
        #expect(python.status == 0)
        #expect(python.lines.isEmpty || python.lines == Self.names.map { $0 + " ok" })
        let plutil = try Session.script(
            "command -v plutil >/dev/null || exit 0; plutil -lint characters.plist", folder: folder)
        #expect(plutil.status == 0)
    }

    @Test func `a broken upstream is the status of the script and leaves the store`() throws {
        let server = try LocalServer(faults: ["page=2,status=500"])
        let folder = try ScratchFolder()
        try folder.write("old".utf8, to: "characters.plist")
        let run = try Session.script(
            """
            set -o pipefail
            fetch-characters --base-url \(server.url) --retries 0 --seal | filter-search nobody-at-all | store-plist
            echo "${PIPESTATUS[@]}"
            """, folder: folder)
        #expect(run.lines.last == "69 0 65")
        #expect(try folder.text("characters.plist") == "old")
    }

    @Test func `half a list before a whole one isn't stored, whatever stands between`() throws {
        let half = try LocalServer(faults: ["page=2,status=500"])
        let good = try LocalServer()
        let folder = try ScratchFolder()
        let sources = """
            fetch-characters --base-url \(half.url) --retries 0 --page-size 50 --seal
            fetch-characters --base-url \(good.url) --limit 3 --seal
            """
        for filter in ["", "| fetch-images --field none"] {
            let run = try Session.script(
                "set -o pipefail; { \(sources); } \(filter) | store-plist --sealed hole.plist",
                folder: folder)
            #expect(run.status == 65 && run.output.isEmpty)
            if filter.isEmpty {
                #expect(
                    run.errors.hasSuffix(
                        "store-plist: 53 records arrived, and the seal counts 3; one source ended without a seal; "
                            + "nothing is stored\n"))
            } else {
                #expect(run.errors.contains("no seal is passed on: 53 records arrived, and the seal counts 3; "))
            }
            #expect(try !folder.names().contains("hole.plist"))
        }
    }

    @Test func `a search that finds nothing is no error in a script`() throws {
        let server = try LocalServer()
        let run = try Session.script(
            "set -e -o pipefail; fetch-characters --base-url \(server.url) | filter-search zqzq | wc -l")
        #expect(run.status == 0)
        #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
    }

    @Test func `head ends the fetch soon`() throws {
        let server = try LocalServer()
        let run = try Session.script(
            "fetch-characters --base-url \(server.url) --page-size 2 | head -1; echo ${PIPESTATUS[0]}")
        #expect(run.lines.count == 2)
        #expect(["0", "141"].contains(run.lines.last))
        #expect(try server.requests.count < 30)
    }

    @Test(arguments: [("INT", "130"), ("TERM", "143")])
    func `a signal leaves nothing half written`(signal: String, status: String) throws {
        let server = try LocalServer(faults: ["page=2,hang", "path=/images/fox,hang"])
        let folder = try ScratchFolder()
        let run = try Session.script(
            """
            set -m
            fetch-characters --base-url \(server.url) --page-size 20 >part & fetch=$!
            echo '{"imageURL":"\(server.url)/images/fox.png"}' >one
            fetch-images --allow-private <one >pictures & images=$!
            store-plist < <(exec 2>/dev/null; sed -n 1p part; sleep 60) >receipt & store=$!
            for _ in {1..300}; do [ -s part ] && break; sleep 0.1; done
            sleep 1
            kill -\(signal) $fetch $images $store
            wait $fetch; echo $?; wait $images; echo $?; wait $store; echo $?
            tail -c 1 part | od -An -tx1; find . -name '*.plist' -o -name '.*castline*'; find images -type f
            """, folder: folder, limitSeconds: 60)
        #expect(run.lines == [status, status, status, " 0a"])
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: FetchCharactersTests.recorded), "no recorded characters"))
    func `the recorded characters come once each whatever fails`() throws {
        let quiet = try LocalServer(catalogue: FetchCharactersTests.recorded)
        let disturbed = try LocalServer(
            faults: [
                "page=7,times=1,status=500", "page=50,times=1,reset", "page=99,times=1,truncate",
                "page=120,times=1,status=429,retry-after=1",
            ], catalogue: FetchCharactersTests.recorded)
        // The base address stands in the first member of no record, so the outputs can be compared as they are.
        let first = try Session("fetch-characters", ["--base-url", quiet.url])
        let second = try Session("fetch-characters", ["--base-url", disturbed.url])
        #expect(first.lines.count == 7438)
        #expect(first.output == second.output)
        #expect(first.status == 0 && second.status == 0)
        #expect(try quiet.requests.count == 149 && disturbed.requests.count == 153)
        #expect(try Session("filter-search", ["mick"], input: first.output).lines.count == 7)
    }
}
