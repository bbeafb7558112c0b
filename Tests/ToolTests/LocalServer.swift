// A running local server, as tests use it.
//
//     let server = try LocalServer(faults: ["page=2,times=1,status=503"])
//     let run = try Session("fetch-characters", ["--base-url", server.url])
//     #expect(try server.requests.map(\.status) == [200, 503, 200])

import Foundation
import TestSupport

/// The built `local-server` on a free port of 127.0.0.1, ended with this object.
final class LocalServer {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    let url: String
    private let child: ChildProcess
    private let folder: ScratchFolder

    /// - Parameters:
    ///   - faults: specs as in `local-server --help`.
    ///   - catalogue: a JSON file; the project's own characters where none is given.
    ///   - pictures: a directory; the project's own pictures where none is given.
    ///   - records: a directory with the other APIs; the project's own where none is given.
    ///   - port: a free one where none is given.
    ///   - compresses: for clients that ask for gzip.
    init(
        faults: [String] = [], catalogue: String = Fixtures.catalogue, pictures: String = Fixtures.pictures,
        records: String = Fixtures.records, port: UInt16 = 0, compresses: Bool = false
    ) throws {
        folder = try ScratchFolder()
        let arguments = [
            "--catalogue", catalogue, "--pictures", pictures, "--records", records, "--port",
            "\(port)", "--log", folder.path("log"), "--until-stdin-closes",
        ]
        child = try ChildProcess(
            Executables.path("local-server"),
            arguments + (compresses ? ["--gzip"] : []) + faults.flatMap { ["--fault", $0] },
            environment: Session.environment(folder), folder: folder.path)
        guard let line = child.line(limitSeconds: 60) else {
            _ = child.finish(limitSeconds: 1)
            throw ChildProcess.Failure(description: "local-server did not start: \(child.errors)")
        }
        url = line
    }

    var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }

    /// The host and port with the name `localhost`: another origin than `url` for everybody who compares names.
    var otherURL: String { "http://localhost:\(port)" }

    var log: String { folder.path("log") }

    /// What has been asked so far, in the order of asking.
    var requests: [LoggedRequest] {
        get throws {
            try folder.bytes("log").split(separator: 0x0A).map { line in
                try JSONDecoder().decode(LoggedRequest.self, from: Data(line))
            }
        }
    }

    /// Ends it. Without this call it ends with the object.
    func stop() {
        child.closeInput()
        _ = child.finish(limitSeconds: 20)
    }
}
