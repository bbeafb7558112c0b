// The memory that a page takes whose records are as small as can be.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "no /proc"))
struct FetchMemoryTests {
    /// What any run takes beside its page: its code, the ids that it remembers, and the lines that wait to be written.
    private static let otherBytes = 56 << 20

    @Test(arguments: ["{}", #"{"":0}"#])
    func `a page takes at most eight times its bytes`(record: String) throws {
        let server = try LocalServer(faults: ["path=/list,body={\\x22data\\x22:[]}"])
        let folder = try ScratchFolder()
        try FetchSource.describe(#""members":{"description":"id"}"#, folder)
        let command = "fetch-characters --source x.json --base-url \(server.url)"
        #expect(try Session.script("\(command) --record r", folder: folder).status == 0)
        let body = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.path("r")).first { $0.hasSuffix(".body") })
        let page = "{\"data\":[" + String(repeating: record + ",", count: 1_000_000) + "{}]}"
        try folder.write(page.utf8, to: "r/\(body)")
        // The first lines come when the page is known, and nobody takes more of them: there the run can be looked at.
        let script = """
            mkfifo lines; exec 3<>lines; \(command) --replay r >&3 2>errors & pid=$!
            head -c 1 <&3 >first; sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$pid/status; kill -9 $pid
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 120)
        let peak = try #require(run.lines.first.flatMap { Int($0) }, "\(run.errors)")
        #expect(peak * 1024 < 8 * page.utf8.count + Self.otherBytes, "\(peak) kB for \(page.utf8.count) bytes")
    }
}
