// The client's way to and from a recording: what the network gives is written, and what was written is taken for what
// the network gives.

import PipelineCore

extension HTTPClient {
    /// Takes the response of the recording for that of the service.
    mutating func play(_ transfer: Transfer, _ recording: Recording) {
        let found: RecordedResponse?
        do throws(ToolFailure) {
            found = try recording.response(
                to: transfer.url, transfer.fields, secrets: transfer.request.secrets,
                limitBytes: transfer.request.limitBytes)
        } catch {
            return complete(transfer, .unusable(error))
        }
        guard let response = found else { return complete(transfer, .notRecorded(transfer.url.plainText)) }
        count(transfer)
        transfer.play(response)
        if let failure = response.failure { return fail(transfer, failure) }
        guard let status = response.status else { return }
        settle(transfer, status, response.headers, response.body, note: nil, .fetched)
    }

    /// Writes what the network gave, where a recording is made.
    /// - Parameter failure: why it isn't a response.
    /// - Returns: why it can't be written, which ends the request.
    func record(_ transfer: Transfer, failure: HTTPFailure.Reason?) -> HTTPFailure.Reason? {
        guard let recording, failure.map(RecordedResponse.keeps) ?? true else { return nil }
        var response = RecordedResponse()
        if transfer.head.isComplete {
            response.status = transfer.head.status
            response.headers = transfer.head.headers
        }
        response.body = transfer.body
        response.failure = failure
        do throws(ToolFailure) {
            try recording.add(response, to: transfer.url, transfer.fields, secrets: transfer.request.secrets)
            return nil
        } catch {
            return .unusable(error)
        }
    }
}
