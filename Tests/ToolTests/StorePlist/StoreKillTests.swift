// SIGKILL at any moment: the old file or the new one is there, whole, and the next run tidies up.

import Foundation
import TestSupport
import Testing

@Suite struct StoreKillTests {
    /// How often each way to store is killed in each of two directories, 500 times in all; `CASTLINE_KILLS=1000` looks
    /// longer.
    private static let kills = ProcessInfo.processInfo.environment["CASTLINE_KILLS"].flatMap { Int($0) } ?? 50

    @Test(arguments: StoreKind.allCases, [1, 2] as [UInt64])
    func `a killed run leaves the old file or the new one`(kind: StoreKind, seed: UInt64) throws {
        let inputs = ["one", "two"].map { StoreKind.records($0, 300) }
        let (folder, old, new) = try kind.prepare(old: inputs[0], new: inputs[1])
        var random = SystemRandomNumberGenerator()
        var longest = 0.05
        for round in 0..<Self.kills {
            let child = try ChildProcess(
                Executables.path("store-plist"), kind.arguments, environment: Session.environment(folder),
                folder: folder.path)
            child.write(inputs[(round + 1) % 2].utf8)
            child.closeInput()
            let start = ProcessInfo.processInfo.systemUptime
            // The moments are spread over as long as a run takes here and now.
            if child.finish(limitSeconds: Double.random(in: 0...longest * 1.1, using: &random)) {
                longest = max(ProcessInfo.processInfo.systemUptime - start, 0.001)
            } else {
                longest *= 1.1
            }
            let bytes = try folder.bytes("characters.plist")
            try #require(bytes == old || bytes == new, "a part of a file after round \(round)")
        }
        try kind.expectNoDebris(folder, old: inputs[0])
    }
}
