// The arguments arrive wherever the tools run: in a chroot without /proc too, where a tool without arguments would store
// into characters.plist what was meant for another file.

import TestSupport
import Testing

@Suite struct ProcessArgumentTests {
    @Test
    func `the arguments are those of the command line where /proc isn't there`() throws {
        let folder = try ScratchFolder()
        let script = """
            mount --make-rprivate / && mount -t tmpfs none /proc || exit 99
            echo '{"id":1,"name":"Mick"}' | store-plist --key id other.plist
            store-plist --load other.plist | filter-search mick
            env -i "$(command -v fetch-characters)" --version
            """
        try folder.write(script.utf8, to: "script")
        let run = try Session.script("unshare -rm bash script", folder: folder)
        // Containers often forbid namespaces.
        if run.status == 99 || run.errors.contains("unshare") {
            try Test.cancel("no mount namespace: \(run.errors)")
        }
        #expect(run.text.contains("fetch-characters (castline)"), "\(run.errors)")
        #expect(
            run.text.contains(#""stored":"other.plist","format":"xml","records":1,"added":1"#)
                && run.text.contains(#"{"id":1,"name":"Mick"}"#), "\(run.errors)")
        #expect(try folder.names() == ["other.plist", "script"])
    }
}
