// What a store keeps of the file that it replaces, and stores that can't be replaced.

import Foundation
import TestSupport
import Testing

@Suite struct StoreFileTests {
    @Test func `extended attributes go over to the new store, and a hard link keeps the old one`() throws {
        let run = try Session.script(
            """
            command -v python3 >/dev/null || { echo skipped; exit; }
            echo '{"id":1}' | store-plist -q s.plist; ln s.plist link.plist
            python3 -c 'import os
            os.setxattr("s.plist", "user.from", b"https://example.org/\\0\\xff")
            os.setxattr("s.plist", "user.empty", b"")' 2>/dev/null || { echo skipped; exit; }
            echo '{"id":2}' | store-plist -q s.plist
            python3 -c 'import os
            print(sorted((n, os.getxattr("s.plist", n)) for n in os.listxattr("s.plist")))'
            store-plist --load s.plist; store-plist --load link.plist
            """)
        if run.text == "skipped\n" { try Test.cancel("there is no python3, or no such attributes here") }
        #expect(
            run.lines == [
                #"[('user.empty', b''), ('user.from', b'https://example.org/\x00\xff')]"#, #"{"id":2}"#,
                #"{"id":1}"#,
            ], "\(run.errors)")
    }

    @Test(
        .enabled(if: geteuid() == 0 && Programs.path(["unshare"]) != nil, "only root can mount a file"),
        arguments: [[], ["--backup", ".old"], ["--key", "id", "--changes", "c"]])
    func `a store that is a mount of its own is named as such, and stays`(options: [String]) throws {
        let run = try Session.script(
            """
            unshare -m bash -c '
            mkdir m; echo "{\\"id\\":1}" | store-plist -q real.plist; : >m/s.plist
            mount --bind real.plist m/s.plist || { echo skipped; exit; }
            echo "{\\"id\\":2}" | store-plist \(options.joined(separator: " ")) m/s.plist; echo $?
            store-plist --load m/s.plist'
            """)
        if run.text.contains("skipped") || run.text.isEmpty { try Test.cancel("mounts aren't allowed here") }
        #expect(run.lines == ["74", #"{"id":1}"#])
        #expect(
            run.errors.contains(
                "m/s.plist: it is a mount of its own, as docker -v FILE makes it; m/s.plist is unchanged; "
                    + "mount its directory"), "\(run.errors)")
    }

    /// Another program's spelling of the same values stays, in both formats, and other values are written.
    @Test(arguments: ["FMT_XML", "FMT_BINARY"])
    func `a store of another program is rewritten only where its values change`(format: String) throws {
        let run = try Session.script(
            """
            command -v python3 >/dev/null || { echo skipped; exit; }
            python3 -c 'import plistlib, datetime
            rows = [{"z": n, "a": [b"x" * 99, datetime.datetime(2020, 1, 1)], "m": {"b": 1.5, "a": ""}} for n in range(9)]
            plistlib.dump(rows, open("s.plist", "wb"), fmt=plistlib.\(format), sort_keys=False)'
            cp s.plist old.plist
            for options in "" "--key z" "--mode merge --key z" "--verify"; do
                store-plist --load s.plist | store-plist $options s.plist | grep -o '"written":[a-z]*'
                cmp s.plist old.plist
            done
            store-plist --load s.plist | jq -c '{m, a, z}' | store-plist s.plist | grep -o '"written":[a-z]*'
            store-plist --load s.plist | jq -c '{m, a, z}' | store-plist --key z --changes - s.plist
            cmp s.plist old.plist
            store-plist --load s.plist | tac | store-plist s.plist | grep -o '"written":[a-z]*'
            """)
        if run.text == "skipped\n" { try Test.cancel("there is no python3") }
        #expect(
            run.lines == [String](repeating: "\"written\":false", count: 5) + ["\"written\":true"], "\(run.errors)")
    }
}
