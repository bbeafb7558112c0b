// A walk's place as JSON, so that another run can go on from there:
//
//     {"position":{"kind":"number","text":"12"},"ordinal":11,"offset":550,"followed":"","ledger":{…}}
//
// Hashes are eight bytes each, the most significant first, in base64.

package import PipelineCore

extension PageWalk {
    /// The place as a JSON object.
    package var place: String {
        let (kind, text) = position.written
        var quoted: [UInt8] = []
        JSONWriter.appendString(text, to: &quoted)
        return "{\"position\":{\"kind\":\"\(kind)\",\"text\":\(quoted.span.text)},\"ordinal\":\(ordinal),"
            + "\"offset\":\(offset),\"followed\":\"\(PackedHashes.text(Array(followed)))\","
            + "\"ledger\":\(ledger.written)}"
    }

    /// A walk that goes on from a place; nil for one that is damaged.
    package init?(_ pagination: Pagination, size: Int?, hash: ByteHash, place: JSONTree) {
        self.init(pagination, size: size, hash: hash)
        guard let position = place["position"].flatMap({ PagePosition($0, pagination) }),
            let ordinal = place["ordinal"]?.integer, ordinal >= 0, let offset = place["offset"]?.integer,
            offset >= 0,
            let followed = place["followed"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let ledger = place["ledger"].flatMap({ PageLedger(size: self.size, $0) })
        else { return nil }
        self.position = position
        self.ordinal = ordinal
        self.offset = offset
        self.followed = Set(followed)
        self.ledger = ledger
    }
}

extension PagePosition {
    fileprivate var written: (kind: String, text: String) {
        switch self {
        case .start: ("start", "")
        case .number(let number): ("number", "\(number)")
        case .offset(let offset): ("offset", "\(offset)")
        case .cursor(let text): ("cursor", text)
        case .link(let url): ("link", url.text)
        }
    }

    /// - Returns: nil for what doesn't fit the pagination.
    fileprivate init?(_ written: JSONTree, _ pagination: Pagination) {
        guard let kind = written["kind"]?.string, let text = written["text"]?.string else { return nil }
        switch (kind, pagination.kind) {
        case ("start", .none), ("start", .cursor), ("start", .nextURL), ("start", .linkHeader): self = .start
        case ("number", .page):
            guard let number = Int(text), number >= 0 else { return nil }
            self = .number(number)
        case ("offset", .offset):
            guard let offset = Int(text), offset >= 0 else { return nil }
            self = .offset(offset)
        case ("cursor", .cursor): self = .cursor(text)
        case ("link", .nextURL), ("link", .linkHeader):
            do throws(HTTPFailure) { self = .link(try HTTPURL(text)) } catch { return nil }
        default: return nil
        }
    }
}

extension PageLedger {
    fileprivate var written: String {
        let integers = [
            ("pagesRead", pagesRead), ("listed", listed), ("distinct", distinct), ("missing", missing),
            ("seen", seen),
        ]
        return "{\"isSecondPass\":\(isSecondPass),\"hasShrunk\":\(hasShrunk),"
            + integers.map { "\"\($0.0)\":\($0.1)," }.joined()
            + "\"latestCount\":\(latestCount.map { "\($0)" } ?? "null"),"
            + "\"expected\":\(expected.map { "\($0)" } ?? "null"),"
            + "\"digests\":\"\(Self.text(digests))\",\"firstDigests\":\"\(Self.text(firstDigests))\"}"
    }

    fileprivate init?(size: Int?, _ written: JSONTree) {
        self.init(size: size)
        guard let isSecondPass = written["isSecondPass"]?.boolean, let hasShrunk = written["hasShrunk"]?.boolean,
            let pagesRead = written["pagesRead"]?.integer, let listed = written["listed"]?.integer,
            let distinct = written["distinct"]?.integer, let missing = written["missing"]?.integer,
            let seen = written["seen"]?.integer, let digests = written["digests"]?.string.flatMap(Self.digests),
            let firstDigests = written["firstDigests"]?.string.flatMap(Self.digests)
        else { return nil }
        self.isSecondPass = isSecondPass
        self.hasShrunk = hasShrunk
        self.pagesRead = pagesRead
        self.listed = listed
        self.distinct = distinct
        self.missing = missing
        self.seen = seen
        self.digests = digests
        self.firstDigests = firstDigests
        latestCount = written["latestCount"]?.integer
        expected = written["expected"]?.integer
    }

    /// Each digest and its page, one after the other.
    private static func text(_ digests: [UInt64: Int]) -> String {
        PackedHashes.text(digests.flatMap { [$0.key, UInt64(bitPattern: Int64($0.value))] })
    }

    private static func digests(_ text: String) -> [UInt64: Int]? {
        guard let numbers = PackedHashes.hashes(text), numbers.count.isMultiple(of: 2) else { return nil }
        var digests: [UInt64: Int] = [:]
        for index in stride(from: 0, to: numbers.count, by: 2) {
            digests[numbers[index]] = Int(truncatingIfNeeded: numbers[index + 1])
        }
        return digests
    }
}

/// Numbers of 64 bits as base64.
package enum PackedHashes {
    package static func text(_ hashes: [UInt64]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * 8)
        for hash in hashes {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: hash >> shift))
            }
        }
        var text: [UInt8] = []
        Base64.append(bytes.span, to: &text)
        return text.span.text
    }

    /// - Returns: nil for what isn't base64 of whole numbers.
    package static func hashes(_ text: String) -> [UInt64]? {
        guard let bytes = Base64.decoded(Array(text.utf8).span), bytes.count.isMultiple(of: 8) else { return nil }
        var hashes: [UInt64] = []
        hashes.reserveCapacity(bytes.count / 8)
        for start in stride(from: 0, to: bytes.count, by: 8) {
            hashes.append((0..<8).reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) })
        }
        return hashes
    }
}
