// The local server for demonstrations and tests: a faithful model of one web API, pictures, and faults on purpose.

import Foundation
import PipelineCore

// A reader that went away must end a connection, never the process.
signal(SIGPIPE, SIG_IGN)

do throws(ToolFailure) {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp {
        try write(Options.help)
        endProcess(0)
    }
    let listener = try Listener(port: options.port)
    let site = try Site(options: options, base: listener.url)
    if options.endsWithInput { endProcessWithInput() }
    try write(listener.url + "\n")
    listener.serve(site)
} catch {
    Diagnostics(tool: "local-server").error(error.message)
    endProcess(error.status.rawValue)
}

func write(_ text: String) throws(ToolFailure) {
    do throws(SystemError) {
        try Descriptor.standardOutput.writeAll(Array(text.utf8).span)
    } catch {
        throw ToolFailure(error)
    }
}

/// Ends the process when stdin does, so that a test which dies leaves no server behind.
func endProcessWithInput() {
    Thread.detachNewThread {
        var bytes = [UInt8](repeating: 0, count: 4096)
        do throws(SystemError) {
            while try Descriptor.standardInput.read(into: &bytes, 0..<bytes.count) > 0 {}
            endProcess(0)
        } catch {
            endProcess(ExitStatus.inputOutput.rawValue)
        }
    }
}
