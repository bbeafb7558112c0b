// A run that can't end by itself, since nobody reads what it writes: an alarm ends it, a second signal at once, and neither
// leaves a file.

import TestSupport
import Testing

@Suite("A run that can't end by itself") struct ForcedEndTests {
    /// Gives the tool some input and no end, looks what files there are, sends the signals, and prints both and the
    /// status. The last signal comes until the run has ended: which of two is taken first can't be told.
    private static let script = """
        import os, signal, subprocess, sys, time
        blocked = {signal.SIGALRM} if len(sys.argv) > 2 else set()
        reading, writing = os.pipe()
        child = subprocess.Popen(
            ["store-plist", "s.plist"], stdin=reading,
            preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, blocked))
        os.close(reading)
        # The pipe stays open, so that the run waits for more.
        with open("in", "rb") as records: os.write(writing, records.read(50_000))
        while len(os.listdir(".")) < 3: time.sleep(0.01)
        print(len(os.listdir(".")))
        child.send_signal(getattr(signal, sys.argv[1]))
        while len(sys.argv) > 2 and child.poll() is None:
            child.send_signal(getattr(signal, sys.argv[2]))
            time.sleep(0.01)
        print(child.wait())
        """

    @Test(arguments: [["SIGTERM"], ["SIGTERM", "SIGINT"], ["SIGHUP"]])
    func `leaves no file when it is ended by force`(signals: [String]) throws {
        let folder = try ScratchFolder()
        try folder.write(String(repeating: "{\"name\":\"Mick\"}\n", count: 5_000).utf8, to: "in")
        let run = try Session(
            "/usr/bin/env", ["python3", "-c", Self.script] + signals, folder: folder, limitSeconds: 60)
        if run.status == 127 { try Test.cancel("there is no python3") }
        // The input, the lock and the file in the making.
        #expect(run.lines.first == "3" && run.lines.count == 2, "\(run.errors)")
        let statuses = ["SIGTERM": "143", "SIGINT": "130", "SIGHUP": "129"]
        #expect(signals.contains { statuses[$0] == run.lines.last }, "\(run.lines)")
        #expect(try folder.names() == ["in"])
    }
}
