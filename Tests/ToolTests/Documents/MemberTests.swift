// castline(7) names every member of reports, receipts, plans and explanations, and no other.

import Foundation
import TestSupport
import Testing

@Suite("The members of reports and receipts")
struct MemberTests {
    /// Everything that writes such an object, each on a line of stdout.
    private static let script = #"""
        report() { local tool=$1; shift; "$tool" --report r "$@" >out 2>err; cat r; }
        fetch-characters --base-url $URL --plan -q
        fetch-characters --learn $URL/character --plan
        report fetch-characters --base-url $URL --limit 3
        mv out records
        echo '{"name":"e","baseURL":"'$URL'","path":"/character","records":"$.data","pagination":{"type":"none"},
            "expand":[{"name":"s","url":"$.nothing"}],
            "members":{"name":{"path":"$.x","step":"s","optional":true}}}' >e.json
        report fetch-characters --source e.json
        report fetch-images --allow-private <records
        report fetch-images --allow-private --prune 30d <records
        report fetch-images --verify
        for options in "--key id" "--key id --on-bad-line skip"; do
            report store-plist $options <records; cat out
        done
        report store-plist --key id --diff characters.plist <records
        values='"a":null,"b":12345678901234567890123,"c":"\u0001","d":"\ud800","e":1,"e":2,"f":"2026-01-02T03:04:05.678Z"'
        echo "{$values}" | report store-plist --lossy text --date f x.plist
        echo "{$values}" | report store-plist --lossy text --null string=none x.plist
        cat >n.plist <<-'END'
        	<?xml version="1.0" encoding="UTF-8"?>
        	<plist version="1.0"><array><dict><key>a</key><real>nan</real></dict></array></plist>
        	END
        report store-plist --load --lossy text n.plist
        for rule in "pearl" "--prefix pearl" "-w pearl" "-x pearl" "--fuzzy pearl" "-E pearl"; do
            echo '{"name":"Pearl"}' >pearl
            filter-search --explain $rule 2>&1 >out <pearl
        done
        echo '{"a":1}' | filter-search --explain --where a=1 2>&1 >out
        filter-search --explain --loose Pearl 2>&1 >out <pearl
        for name in 'A Pearly' 'impearl'; do
            echo "{\"name\":\"$name\"}" | filter-search --explain --best 1 Pearl 2>&1 >out
        done
        filter-search --explain Pearl pearl pearl 2>&1 >out
        report filter-search Pearl pearl
        echo broken | report filter-search Pearl
        """#

    /// What stands in literal type in the section.
    private static func named() throws -> Set<String> {
        let page = try Fixtures.document("man/castline.7")
        let section = try #require(page.components(separatedBy: ".Ss Reports and receipts\n").last)
        let own = try #require(section.components(separatedBy: "\n.Ss ").first)
        let lines = own.split(separator: "\n").filter { $0.hasPrefix(".Li ") || $0.hasPrefix(".It Li ") }
        let words = lines.flatMap { $0.split(separator: " ") }.map(String.init)
        return Set(words).subtracting([".It", ".Li", "Li", ",", ":"])
    }

    @Test
    func `is described in castline(7), and nothing else is`() throws {
        let server = try LocalServer()
        let run = try Session.script(Self.script, environment: ["URL": server.url], folder: ScratchFolder())
        var seen: Set<String> = []
        for object in try run.records() {
            seen.formUnion(object.keys)
            for case let inner as [String: Any] in object.values { seen.formUnion(inner.keys) }
            if let rule = object["rule"] as? String { seen.insert(rule) }
        }
        #expect(run.lines.count > 20 && run.errors == "")
        let named = try Self.named()
        #expect(seen.subtracting(named).sorted() == [], "not described")
        #expect(named.subtracting(seen).sorted() == [], "not said")
    }
}
