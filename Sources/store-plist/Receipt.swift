// The receipt: one line on stdout that says what was stored.
//
//     {"stored":"characters.plist","format":"xml","records":12,"bytes":8211,"written":true}
//
// The store is replaced before the receipt is written, and then the run has succeeded, whatever becomes of stdout. So
// a stdout that can't be written to is looked for before.

import PipelineCore

/// What a run has stored.
struct Receipt {
    let stored: String
    let format: String
    let records: Int
    /// Bad lines that were left out, where that was asked for.
    let skipped: Int?
    let bytes: Int
    let isWritten: Bool

    var line: [UInt8] {
        var bytes = Array("{\"stored\":".utf8)
        JSONWriter.appendString(stored, to: &bytes)
        bytes.append(contentsOf: ",\"format\":\"\(format)\",\"records\":\(records)".utf8)
        if let skipped { bytes.append(contentsOf: ",\"skipped\":\(skipped)".utf8) }
        bytes.append(contentsOf: ",\"bytes\":\(self.bytes),\"written\":\(isWritten)}\n".utf8)
        return bytes
    }

    /// Fails where stdout takes nothing; a reader that has gone ends the process, as any write would.
    static func probe() throws(SystemError) { try Descriptor.standardOutput.probe() }

    func write(_ diagnostics: Diagnostics) {
        Interruption.ignoreBrokenPipe()
        do throws(SystemError) {
            try Descriptor.standardOutput.writeAll(line.span)
        } catch {
            diagnostics.warning("\(stored) is stored, but the receipt is lost: \(error)")
        }
    }
}
