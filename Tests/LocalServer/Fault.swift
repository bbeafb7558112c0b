// A way to misbehave: when it applies, what is answered, and how that is sent.
//
// The grammar of a spec, as `--fault` takes it:
//
//     spec  = part *( "," part )          page=7,times=2,status=503,retry-after=2
//     part  = name [ "=" value ]          the names are the tables in FaultPart
//     value = *( any character but "," and "\" / "\," / "\\" / "\n" / "\r" / "\t" / "\x" 2HEXDIG )

import PipelineCore

/// One `--fault`.
struct Fault: Sendable {
    /// What stands in for the usual answer.
    enum Content: Sendable {
        case usual
        case fixed([UInt8], type: String)
        case empty
        /// The first half of the usual body.
        case cut
        /// 302 to an address.
        case redirect([UInt8])
        /// 302 to the address that was asked for.
        case loop
        case page(Int)
        /// As if so many records had been put in front of the list.
        case shifted(Int)
    }

    /// How the end of the body is told.
    enum Framing: Sendable {
        /// No body and no length: 204 and 304.
        case none
        case length, doubleLength, truncated, chunked, truncatedChunked, close, endless
    }

    /// How the bytes leave.
    enum Sending: Sendable {
        case whole, reset, close, hang
        /// Header fields, or answers on the way, that never come to an end.
        case endlessHead, endlessHints
        case resetAfter(bodyBytes: Int)
        case drip(seconds: Double)
        case slowly(Link)
    }

    /// What comes after the answer though nobody has asked for it.
    enum Unasked: Sendable {
        case sameAnswer
        /// 408, and the end of the connection.
        case timeout
    }

    /// The spec as it was given, for the log.
    private(set) var text: String
    var condition = FaultCondition()
    var content = Content.usual
    var framing = Framing.length
    /// How the body is compressed, whatever was asked for.
    var coding: Gzip.Form?
    var sending = Sending.whole
    var status: Int?
    var contentType: [UInt8]?
    var retryAfter: [UInt8]?
    var headers: [Header] = []
    var startsWithMark = false
    var hasEarlyHints = false
    var endsLinesWithLF = false
    var hasNoReason = false
    var delaySeconds = 0.0
    var unasked: (answer: Unasked, afterSeconds: Double)?

    /// Of these each request meets another one.
    private(set) var turn: [Fault] = []

    /// The parts that set a side of the answer, by the side.
    private var claims: [String: String] = [:]

    /// - Throws: status 64 naming the part that is wrong.
    init(_ text: String) throws(ToolFailure) {
        self.text = text
        let parts = try FaultSpec.parts(text)
        var effects = 0
        for (name, value) in parts {
            guard let part = FaultPart.all.first(where: { $0.name == name }) else {
                throw ToolFailure(.usage, "fault \(text): unknown part \(name); see --help")
            }
            guard (value != nil) == (part.placeholder != nil) else {
                let want = part.placeholder.map { "needs =\($0)" } ?? "takes no value"
                throw ToolFailure(.usage, "fault \(text): \(name) \(want)")
            }
            do throws(FaultValueError) {
                try part.apply(&self, value ?? [])
            } catch {
                throw ToolFailure(.usage, "fault \(text): \(name): \(error.reason)")
            }
            if part.isEffect { effects += 1 }
        }
        guard effects > 0 else { throw ToolFailure(.usage, "fault \(text) has no effect; see --help") }
        if retryAfter != nil, status == nil {
            throw ToolFailure(.usage, "fault \(text): retry-after goes with status=429 or status=503")
        }
        guard turn.isEmpty || effects == 1 else {
            throw ToolFailure(.usage, "fault \(text): in-turn goes with no other effect")
        }
    }

    mutating func set(turn: FaultTurn) throws(FaultValueError) {
        do throws(ToolFailure) {
            for spec in turn.specs { self.turn.append(try Fault(spec)) }
        } catch {
            throw FaultValueError(reason: error.message.description)
        }
    }

    /// What the request number `count`, from 0, meets of those that this fault takes.
    func met(by count: Int) -> Fault {
        guard !turn.isEmpty else { return self }
        var met = turn[count % turn.count]
        met.text = "\(text): \(met.text)"
        return met
    }

    /// Sets a side of the answer. Each side is a type of its own, and takes one part.
    mutating func set<Value>(
        _ side: WritableKeyPath<Fault, Value>, to value: Value, part: String
    ) throws(FaultValueError) {
        if let earlier = claims.updateValue(part, forKey: "\(Value.self)") {
            throw FaultValueError(reason: "contradicts \(earlier)")
        }
        self[keyPath: side] = value
    }
}
