// scripts/setup: what it installs, what it says where it can't, and how it waits for an apt that is busy. Its programs
// are stand-ins: scripts/bare-debian holds the locks really, in a Debian of its own.

import Foundation
import TestSupport
import Testing

@Suite("scripts/setup")
struct SetupTests {
    /// A PATH of its own, with what the script uses of the system and stand-ins for the rest.
    private struct Machine {
        let folder: ScratchFolder

        /// Each stand-in notes how it was called, in `calls`.
        init(_ programs: [String: String] = [:], without absent: Set<String> = []) throws {
            folder = try ScratchFolder()
            try folder.makeFolder("bin")
            try folder.makeFolder("stand-ins")
            for name in ["bash", "cat", "env", "grep", "head", "mktemp", "rm", "sed", "sleep"] {
                try folder.link("bin/" + name, to: #require(Shells.folder(of: name)) + "/" + name)
            }
            let usual = [
                "swift": "exit 0", "uname": "echo Linux", "id": "echo 0", "ld": "exit 0", "dpkg-query": "exit 1",
                "apt-get": "exit 0",
            ]
            for (name, body) in usual.merging(programs, uniquingKeysWith: { $1 })
            where !absent.contains(name) {
                try folder.write("echo \"\(name) $*\" >>calls\n\(body)\n", to: "stand-ins/" + name)
            }
            // What this process writes may be open in a child that another test starts just then, and can't be run.
            let made = try Session.script(
                """
                for file in stand-ins/*; do
                    { echo '#!/usr/bin/env bash'; cat $file; } >bin/${file##*/}
                    chmod 755 bin/${file##*/}
                done
                """, folder: folder)
            try #require(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        }

        func run(_ arguments: [String] = [], waiting seconds: String? = nil) throws -> Session {
            var environment = ["PATH": folder.path("bin")]
            environment["CASTLINE_SETUP_WAIT"] = seconds
            return try Session(
                Fixtures.checkout + "/scripts/setup", arguments, environment: environment, folder: folder)
        }

        /// How apt-get was called.
        func aptCalls() throws -> [String] {
            guard try folder.names().contains("calls") else { return [] }
            return try folder.text("calls").split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("apt-get ") }
        }
    }

    /// What apt-get 2.6 and 3.0 say and do where another process holds a lock.
    private static func busy(_ lock: String) -> String {
        """
        echo "E: Could not get lock \(lock). It is held by process 4711 (unattended-upgr)" >&2
        echo "E: Unable to lock directory" >&2
        exit 100
        """
    }

    @Test
    func `installs what is missing, by name, after the lists were read anew`() throws {
        let machine = try Machine(["dpkg-query": "if [ $4 = zlib1g-dev ]; then echo 'install ok installed'; fi"])
        let run = try machine.run()
        #expect(run.status == 0 && run.output.isEmpty)
        let installing = "setup: installing ca-certificates libcurl4-openssl-dev libssl-dev"
        #expect(run.errors.hasPrefix(installing), "\(run.errors)")
        let calls = try machine.aptCalls()
        #expect(calls.count == 2 && calls[0].hasSuffix(" update"), "\(calls)")
        let install = try #require(calls.last)
        #expect(install.contains(" install -y --no-install-recommends ") && !install.contains("zlib1g-dev"))
        #expect(!install.contains("debootstrap") && !install.contains("man-db"))
    }

    @Test(arguments: [("--manual", "man-db"), ("--tests", "mandoc"), ("--packages", "debootstrap")])
    func `installs what a word adds`(word: String, package: String) throws {
        let machine = try Machine()
        #expect(try machine.run([word]).status == 0)
        #expect(try machine.aptCalls().last?.split(separator: " ").contains(Substring(package)) == true)
    }

    @Test
    func `leaves apt alone where nothing is missing`() throws {
        let machine = try Machine(["dpkg-query": "echo 'install ok installed'"])
        for word in ["--tests", "--packages"] {
            let run = try machine.run([word])
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        }
        #expect(try machine.aptCalls() == [])
    }

    @Test(arguments: [
        "/var/lib/apt/lists/lock", "/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock",
        "/var/cache/apt/archives/lock",
    ])
    func `waits for a lock that another process holds, says who holds it once, and goes on`(lock: String) throws {
        let attempts = "echo x >>attempts; if [ $(grep -c x attempts) -gt 2 ]; then exit 0; fi\n"
        let machine = try Machine(["apt-get": attempts + Self.busy(lock)])
        let run = try machine.run(waiting: "60")
        #expect(run.status == 0, "\(run.errors)")
        let holder = "It is held by process 4711 (unattended-upgr)"
        let told = run.errors.split(separator: "\n").dropFirst()
        #expect(told == ["setup: apt is busy: \(lock). \(holder); waiting up to 60 s"], "\(run.errors)")
        let calls = try machine.aptCalls()
        #expect(calls.count == 4 && calls[2].contains(" update") && calls[3].contains(" install "), "\(calls)")
        // Its own wait would hide who holds the lock.
        #expect(calls.allSatisfy { $0.contains("DPkg::Lock::Timeout=0 ") })
    }

    @Test
    func `ends with 75 where the lock isn't given up in time`() throws {
        let machine = try Machine(["apt-get": Self.busy("/var/lib/dpkg/lock")])
        let run = try machine.run(waiting: "1")
        #expect(run.status == 75)
        #expect(run.errors.contains("; waiting up to 1 s\n"))
        let verdict = "setup: apt is still busy after 1 s; run this again when the other process has ended\n"
        #expect(run.errors.hasSuffix(verdict), "\(run.errors)")
    }

    @Test(arguments: [
        ("update", "E: Failed to fetch the lists", "setup: apt-get update failed; what it says is above\n"),
        ("install", "E: Unable to locate package libssl-dev", "; what apt says is above\n"),
    ])
    func `passes on what else apt says, and doesn't wait for it`(
        word: String, message: String, verdict: String
    ) throws {
        let failing = "case \" $* \" in *' \(word) '*) echo '\(message)' >&2; exit 100 ;; esac"
        let machine = try Machine(["apt-get": failing])
        let run = try machine.run()
        #expect(run.status == 69)
        #expect(run.errors.contains("\n" + message + "\n") && run.errors.hasSuffix(verdict), "\(run.errors)")
        #expect(try machine.aptCalls().filter { $0.contains(" \(word)") }.count == 1)
    }

    @Test
    func `passes on a warning of apt that went well, and nothing else`() throws {
        let machine = try Machine([
            "apt-get": "echo 'W: Some index files failed.' >&2; echo 'debconf: delaying' >&2; echo lists"
        ])
        let run = try machine.run()
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.errors.contains("\nW: Some index files") && !run.errors.contains("debconf"))
    }

    @Test
    func `without Swift it says where that comes from, and touches nothing`() throws {
        let machine = try Machine(without: ["swift"])
        let run = try machine.run()
        #expect(run.status == 69 && run.errors.hasPrefix("setup: swift isn't in PATH; "))
        #expect(try machine.aptCalls() == [])
    }

    @Test
    func `a Swift without its libraries gets them, and starts`() throws {
        let machine = try Machine(["swift": "[ -e installed ]", "apt-get": "echo >installed"])
        let run = try machine.run()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains(" libedit2 libncurses6 libsqlite3-0 libxml2"))
    }

    @Test(arguments: ["dpkg-query", "none"])
    func `a Swift that doesn't start even so is told with what the system says`(absent: String) throws {
        let machine = try Machine(["swift": "echo 'GLIBC_9.9 not found' >&2; exit 1"], without: [absent])
        let run = try machine.run()
        #expect(run.status == 69)
        #expect(run.errors.contains("GLIBC_9.9 not found\nsetup: swift doesn't start; "), "\(run.errors)")
    }

    @Test
    func `anybody but root is told the command that root needs`() throws {
        let machine = try Machine(["id": "echo 1000"])
        let run = try machine.run(["--packages"])
        #expect(run.status == 69)
        #expect(run.errors.contains("\n    apt-get install --no-install-recommends ca-certificates "))
        #expect(run.errors.contains(" debootstrap ") && run.errors.hasSuffix("util-linux\n"), "\(run.errors)")
        #expect(try machine.aptCalls() == [])
    }

    @Test(arguments: ["dpkg-query", "apt-get"])
    func `a system that isn't Debian is told what is needed`(absent: String) throws {
        let machine = try Machine(without: [absent])
        let run = try machine.run()
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("setup: this isn't Debian; nothing is installed, the headers of libcurl,"))
    }

    @Test
    func `refuses words and seconds that it doesn't know`() throws {
        let machine = try Machine()
        let word = try machine.run(["--test"])
        #expect(word.status == 64 && word.errors == "usage: scripts/setup [--manual|--tests|--packages]\n")
        for seconds in ["soon", "-1", "100000"] {
            let run = try machine.run(waiting: seconds)
            #expect(run.status == 64 && run.errors.contains("not '\(seconds)'"), "\(run.errors)")
        }
        #expect(try machine.aptCalls() == [])
    }
}
