// Two users and one store: what one of them may not read or write.

import Foundation
import TestSupport
import Testing

private let canChangeUser = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

@Suite(.enabled(if: canChangeUser, "only root can run a tool as another user, with setpriv"))
struct StoreOtherUserTests {
    /// Runs a script in a directory in which each user may do anything, with the tool where each may run it. A shell copies
    /// it: what this process has open for writing, a child that another test begins may have too, and nobody can run it.
    private static func run(_ script: String) throws -> Session {
        let folder = try ScratchFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        return try Session.script("cp $(command -v store-plist) .\n\(script)", folder: folder)
    }

    private static let another = "setpriv --reuid=65534 --regid=65534 --clear-groups ./store-plist"

    @Test
    func `the lock of another user is a lock, and what is left of one is none`() throws {
        let script = """
            umask 077; mkfifo f; exec 3<>f; ./store-plist s.plist <f >first 3>&- & echo '{"id":1}' >&3
            until [ -e .s.plist.lock ]; do sleep 0.05; done
            echo '{"id":2}' | \(Self.another) s.plist; echo $?
            exec 3>&-; wait; cat first
            : >.s.plist.lock; chmod 644 .s.plist.lock
            echo '{"id":2}' | \(Self.another) --wait 30 t.plist
            : >.t.plist.lock; chmod 644 .t.plist.lock
            echo '{"id":3}' | \(Self.another) --wait 30 t.plist
            : >.u.plist.lock; chmod 600 .u.plist.lock
            echo '{"id":3}' | \(Self.another) u.plist; echo $?
            mkfifo -m 444 .v.plist.lock
            echo '{"id":3}' | \(Self.another) --wait 30 v.plist; echo $?
            """
        let run = try Self.run(script)
        #expect(
            run.lines.first == "75" && run.lines.suffix(2) == ["75", "73"] && run.lines.count == 6, "\(run.lines)")
        #expect(run.lines[1...3].allSatisfy { $0.contains("\"written\":true") }, "\(run.lines)")
        #expect(run.errors.contains("another run stores to s.plist") && run.errors.count { $0 == "\n" } == 3)
    }

    @Test
    func `the lock that a killed run has left doesn't lock another user out, whatever the mask was`() throws {
        let script = """
            umask 077; mkfifo f; exec 3<>f; ./store-plist s.plist <f 3>&- & echo '{"id":1}' >&3
            until find .s.plist.lock -perm -004 2>/dev/null | grep -q .; do sleep 0.05; done
            kill -9 $!; wait $! 2>/dev/null; ls .s.plist.lock
            echo '{"id":2}' | \(Self.another) --wait 30 s.plist; echo $?
            """
        let run = try Self.run(script)
        #expect(
            run.lines.first == ".s.plist.lock" && run.lines.last == "0" && run.lines.count == 3, "\(run.errors)")
    }

    @Test
    func `a store that may not be read is left alone, and --force replaces it with a warning`() throws {
        let script = """
            echo '{"id":1}' | \(Self.another) s.plist >first; chmod 0 s.plist
            for mode in append 'merge --key id' 'remove --key id' replace; do
                echo '{"id":2}' | \(Self.another) --mode $mode s.plist; echo $?
            done
            \(Self.another) s.plist </dev/null; echo $?
            ./store-plist --load s.plist
            echo '{"id":3}' | \(Self.another) --force s.plist >receipt; echo $?
            ./store-plist --load s.plist; stat -c %a s.plist
            echo '{"id":6}' | \(Self.another) --force --key id s.plist >receipt; echo $?
            ./store-plist --load s.plist
            echo '{"id":4}' | ./store-plist o.plist >first; chmod 600 o.plist
            for force in '' --force; do echo '{"id":5}' | \(Self.another) $force o.plist; echo $?; done
            ./store-plist --load o.plist
            """
        let run = try Self.run(script)
        let replaced = ["0", #"{"id":3}"#, "0", "0", #"{"id":6}"#]
        #expect(run.lines == ["65", "65", "65", "65", "65", #"{"id":1}"#] + replaced + ["65", "74", #"{"id":4}"#])
        #expect(run.errors.contains("warning: s.plist may not be read; it is replaced"))
        #expect(run.errors.contains("s.plist may not be read; it is unchanged; run it as its owner, or --force"))
        #expect(
            run.errors.contains("o.plist may not be read; it is unchanged")
                && run.errors.contains("; o.plist is unchanged"))
    }
}
