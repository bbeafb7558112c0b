// The inflater of answers: what comes out doesn't depend on the pieces that come in, and stays within its limit.

import PipelineHTTP

enum GzipCheck {
    private static let limitBytes = 1 << 20

    private struct Outcome: Equatable {
        var body: [UInt8] = []
        var isWhole = false
        var isTooLarge = false
        var fault: Inflater.Fault?
    }

    static func check(_ bytes: [UInt8]) throws {
        let whole = try outcome(bytes, pieces: max(bytes.count, 1))
        try demand(whole.body.count <= limitBytes, "\(whole.body.count) bytes, more than allowed")
        for pieces in [1, 7] {
            let other = try outcome(bytes, pieces: pieces)
            try demand(other == whole, "something else in pieces of \(pieces) bytes")
        }
    }

    private static func outcome(_ bytes: [UInt8], pieces: Int) throws -> Outcome {
        let inflater = try Inflater()
        var outcome = Outcome()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
            do throws(Inflater.Fault) {
                let fits = try inflater.append(piece.span, to: &outcome.body, limitBytes: limitBytes)
                outcome.isTooLarge = !fits
                if !fits { return outcome }
            } catch {
                outcome.fault = error
                return outcome
            }
        }
        outcome.isWhole = inflater.isWhole
        return outcome
    }
}
