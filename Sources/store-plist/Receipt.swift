// The receipt: one line on stdout that says what was stored.
//
//     {"stored":"characters.plist","format":"xml","records":12,"bytes":8211,"written":true}
//
// The store is replaced before the receipt is written; from then on the run has succeeded, whatever happens to
// stdout. So stdout is checked for write errors beforehand.

import PipelineCore

/// What a run has stored.
struct Receipt {
    let stored: String
    let format: String
    let records: Int
    /// Bad lines that were skipped, if the options allow that.
    let skipped: Int?
    /// Only if records have keys.
    let counts: StoreCounts?
    let bytes: Int
    let isWritten: Bool

    var json: String {
        ByteBuffer.object { object in
            object.addMember("stored", stored.displayedPath)
            object.addMember("format", format)
            object.addMember("records", records)
            counts?.add(to: &object)
            if let skipped { object.addMember("skipped", skipped) }
            object.addMember("bytes", bytes)
            object.addMember("written", isWritten)
        }.text
    }

    func write(_ diagnostics: Diagnostics) {
        Signals.ignoreBrokenPipe()
        do throws(SystemError) {
            try Descriptor.standardOutput.writeAll(Array((json + "\n").utf8).span)
        } catch {
            diagnostics.warning("\(stored) is stored, but the receipt is lost: \(error)")
        }
    }
}
