// A token as it is kept for other runs: one line of JSON, and a digest that reveals damage.
//
//     {"access":"…","refresh":"…","got":1732200000,"seconds":3600}
//     5f0c…

import PipelineCore
import PipelineHTTP

/// A token in a file.
struct KeptToken {
    /// Renewed so long before its end, or after half of a short life.
    private static let marginSeconds = 60.0
    /// The clock of the machine may be set back by less.
    private static let aheadSeconds = 60.0

    /// Nil where only the refresh token is kept.
    var access: String?
    /// The refresh token that was received last.
    var refresh: String?
    /// When the access token was received, in seconds since 1970.
    var gotSeconds = 0.0
    /// Nil for one that lasts until it is refused.
    var lifetimeSeconds: Double?

    /// When to renew it. Nil for one that lasts, and for one with less than a minute, which the next run renews.
    var renewalSeconds: Double? {
        guard let lifetimeSeconds, lifetimeSeconds > Self.marginSeconds else { return nil }
        return gotSeconds + lifetimeSeconds - min(Self.marginSeconds, lifetimeSeconds / 2)
    }

    /// Whether another run may use the access token.
    func isUsable(now: Double) -> Bool {
        guard gotSeconds <= now + Self.aheadSeconds else { return false }
        return lifetimeSeconds == nil || renewalSeconds.map { now < $0 } ?? false
    }

    // MARK: The file

    init() {}

    /// - Returns: nil for a damaged file.
    init?(_ file: [UInt8], _ digest: SHA256) {
        let lines = file.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty else { return nil }
        let text = Array(lines[0])
        guard SHA256.hexadecimal(digest.digest(text.span)).utf8.elementsEqual(lines[1]) else { return nil }
        do throws(JSONError) {
            let tree = try JSONTree.read(text.span)
            access = tree["access"]?.string
            refresh = tree["refresh"]?.string
            gotSeconds = Double(tree["got"]?.count ?? 0)
            lifetimeSeconds = tree["seconds"]?.count.map { Double($0) }
        } catch {
            return nil
        }
    }

    func encoded(_ digest: SHA256) -> [UInt8] {
        let text = ByteBuffer.object { object in
            object.addMember("access", access)
            object.addMember("refresh", refresh)
            object.addMember("got", Int(gotSeconds))
            object.addMember("seconds", lifetimeSeconds.map { Int($0) })
        }.text
        let line = Array(text.utf8)
        return line + [0x0A] + Array(SHA256.hexadecimal(digest.digest(line.span)).utf8) + [0x0A]
    }
}
