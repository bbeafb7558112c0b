// The client's way to and from a recording: what the network gives is written, and what was written is taken for what
// the network gives.

import PipelineCore

extension HTTPClient {
    /// Takes the answer of the recording for that of the service.
    mutating func play(_ transfer: Transfer, _ recording: Recording) {
        let found: RecordedAnswer?
        do throws(ToolFailure) {
            found = try recording.answer(
                to: transfer.url, transfer.fields, secrets: transfer.request.secrets,
                limitBytes: transfer.request.limitBytes)
        } catch {
            return complete(transfer, .unusable(error))
        }
        guard let answer = found else { return complete(transfer, .notRecorded(transfer.url.plainText)) }
        count(transfer)
        transfer.play(answer)
        if let failure = answer.failure { return fail(transfer, failure) }
        guard let status = answer.status else { return }
        settle(transfer, status, answer.headers, answer.body, note: nil, .fetched)
    }

    /// Writes what the network gave, where a recording is made.
    /// - Parameter failure: why it isn't an answer.
    /// - Returns: why it can't be written, which ends the request.
    func record(_ transfer: Transfer, failure: HTTPFailure.Reason?) -> HTTPFailure.Reason? {
        guard let recording, failure.map(RecordedAnswer.keeps) ?? true else { return nil }
        var answer = RecordedAnswer()
        if transfer.head.isComplete {
            answer.status = transfer.head.status
            answer.headers = transfer.head.headers
        }
        answer.body = transfer.body
        answer.failure = failure
        do throws(ToolFailure) {
            try recording.add(answer, to: transfer.url, transfer.fields, secrets: transfer.request.secrets)
            return nil
        } catch {
            return .unusable(error)
        }
    }
}
