// What was asked and how it was answered: one JSON line for each request, written before the answer is sent, so that
// a client which has its answer finds its line.

import Foundation
import PipelineCore
import Synchronization
import TestSupport

/// A file that tests read while the server runs.
final class RequestLog: Sendable {
    private let file: Mutex<FileHandle>
    private let path: String
    private let began = MonotonicClock.seconds

    init(path: String) throws(ToolFailure) {
        let manager = FileManager.default
        guard manager.fileExists(atPath: path) || manager.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forUpdatingAtPath: path)
        else { throw ToolFailure(.cannotCreate, "can't write log \(path)") }
        self.path = path
        file = Mutex(handle)
    }

    func append(_ request: Request, status: Int?, fault: Fault?, connection: Int) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entry = LoggedRequest(
            connection: connection, seconds: MonotonicClock.seconds - began, method: request.method,
            target: request.target, headers: request.headers.map { [$0.name, FaultSpec.string($0.value)] },
            status: status, fault: fault?.text,
            body: request.body.isEmpty ? nil : String(decoding: request.body, as: UTF8.self))
        do {
            let line = try encoder.encode(entry) + [0x0A]
            try file.withLock { handle in
                try handle.seekToEnd()
                try handle.write(contentsOf: line)
            }
        } catch {
            Diagnostics(tool: "local-server").error("can't write log \(path): \(error)")
        }
    }
}
