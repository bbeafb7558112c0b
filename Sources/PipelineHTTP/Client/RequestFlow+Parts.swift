// Answers that are larger than their limits, and handed on while they come.

import PipelineCore

extension RequestFlow {
    /// The transfer whose answer is handed on, if something of it has come.
    func part(of tag: Int) -> Transfer? {
        loop.transfers.first { $0.tag == tag && $0.isStreaming && !$0.response.body.isEmpty }
    }

    /// Answers that wait to be taken.
    var pausedCount: Int { loop.transfers.count { $0.isPaused } }

    mutating func takePart(of tag: Int) -> [UInt8] {
        let part = part(of: tag)?.takePart() ?? []
        counts.bytesReceived += part.count
        return part
    }

    /// Gives up a request whose answer is being handed on.
    mutating func stop(_ tag: Int) {
        guard let transfer = loop.transfers.first(where: { $0.tag == tag && $0.isStreaming }) else { return }
        loop.remove(transfer)
        transfer.reservation = nil
        spare.append(transfer)
    }
}
