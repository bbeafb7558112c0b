// One client's connection: requests are read one after another and answered, or misanswered, in turn.

import PipelineCore

/// A connection on a thread of its own.
struct Connection {
    /// How long a client may keep the connection open without asking.
    static let idleMilliseconds: Int32 = 60_000
    /// How long the real server's host would wait for a handler that never answers.
    static let silenceSeconds = 60.0
    static let hangSeconds = 120.0

    let socket: Socket
    /// From 1, in the order of coming.
    let number: Int
    let site: Site

    /// How a connection stands after an answer.
    private enum Outcome {
        case goesOn
        /// To be closed cleanly.
        case ends
        /// Reset already.
        case isGone
    }

    /// Serves until either side ends it; a failure of the socket means that the client has gone.
    func serve() {
        do throws(SystemError) {
            if case .ends = try answerRequests() { try socket.close() }
        } catch {
            socket.abandon()
        }
    }

    private func answerRequests() throws(SystemError) -> Outcome {
        var parser = RequestParser()
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            switch parser.next() {
            case .request(let request):
                let outcome = try answer(request)
                guard case .goesOn = outcome else { return outcome }
            case .incomplete:
                guard socket.hasInput(withinMilliseconds: Self.idleMilliseconds) else { return .ends }
                let count = try socket.receive(into: &bytes)
                guard count > 0 else { return .ends }
                parser.append(bytes[..<count])
            case .refused(let status):
                let request = Request(method: "GET", target: "/", isHTTP10: true, headers: [])
                let delivery = Delivery(.error(status), to: request, fault: nil)
                try socket.send(delivery.head + delivery.body)
                return .ends
            }
        }
    }

    private func answer(_ request: Request) throws(SystemError) -> Outcome {
        let fault = site.fault(for: request)
        let response = site.response(to: request, fault: fault)
        site.log?.append(request, status: Self.sentStatus(response, fault), fault: fault, connection: number)
        if let seconds = fault?.delaySeconds, seconds > 0, !socket.waits(seconds: seconds) { return .ends }
        guard let response else {
            _ = socket.waits(seconds: Self.silenceSeconds)
            return .ends
        }
        let delivery = Delivery(response, to: request, fault: fault, compresses: site.compresses)
        guard let fault else {
            try socket.send(delivery.head + delivery.body)
            return delivery.closes ? .ends : .goesOn
        }
        return try deliver(delivery, fault)
    }

    private static func sentStatus(_ response: Response?, _ fault: Fault?) -> Int? {
        switch fault?.sending {
        case .reset, .close, .hang: nil
        default: response?.status
        }
    }

    private func deliver(_ delivery: Delivery, _ fault: Fault) throws(SystemError) -> Outcome {
        switch fault.sending {
        case .whole: try socket.send(delivery.head + delivery.body)
        case .reset:
            socket.reset()
            return .isGone
        case .close: return .ends
        case .resetAfter(let count):
            try socket.send(delivery.head + delivery.body.prefix(count))
            socket.reset()
            return .isGone
        case .drip(let seconds):
            try socket.send(delivery.head)
            for byte in delivery.body {
                guard socket.waits(seconds: seconds) else { return .ends }
                try socket.send([byte])
            }
        case .slowly(let link):
            guard try send(delivery.head + delivery.body, through: link) else { return .ends }
        case .endlessHead:
            try socket.send(Array("HTTP/1.1 200 OK\r\n".utf8))
            try sendEndlessly("X-More: \(String(repeating: "x", count: 200))\r\n")
            return .ends
        case .endlessHints:
            try sendEndlessly("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
            return .ends
        case .hang:
            _ = socket.waits(seconds: Self.hangSeconds)
            return .ends
        }
        if case .endless = fault.framing {
            for _ in 0..<(Delivery.endlessLimitBytes / 65_536) { try socket.send(Delivery.endlessChunk) }
        }
        if delivery.closes { return .ends }
        guard let unasked = fault.unasked else { return .goesOn }
        guard socket.waits(seconds: unasked.afterSeconds) else { return .ends }
        switch unasked.answer {
        case .sameAnswer: try socket.send(delivery.head + delivery.body)
        case .timeout:
            let head = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            try socket.send(Array(head.utf8))
            return .ends
        }
        return .goesOn
    }

    /// - Returns: false where the client went away meanwhile.
    private func send(_ bytes: [UInt8], through link: Link) throws(SystemError) -> Bool {
        for start in stride(from: 0, to: bytes.count, by: Link.pieceBytes) {
            let piece = Array(bytes[start..<min(start + Link.pieceBytes, bytes.count)])
            let due = link.take(piece.count)
            guard socket.waits(seconds: max(0, due - MonotonicClock.seconds)) else { return false }
            try socket.send(piece)
        }
        return true
    }

    private func sendEndlessly(_ text: String) throws(SystemError) {
        let block = Array(String(repeating: text, count: 16_384 / text.utf8.count).utf8)
        for _ in 0..<(Delivery.endlessHeadBytes / block.count) { try socket.send(block) }
    }
}
