// A recording of a browser (HAR 1.2), read entry by entry.

import PipelineCore
import PipelineHTTP

struct RecordedTraffic {
    private static let entryBytes = 64 << 20
    /// Answers that are kept beside the list's own, as they may be other pages of it.
    private static let (keptCount, keptBytes) = (16, 1 << 20)

    typealias Entry = (request: CopiedRequest, response: HTTPResponse)

    /// That of the list with the most records, and how many those are.
    private var best: (entry: Entry, count: Int)?
    /// The latest with a list.
    private var others: [Entry] = []

    /// - Parameter buffer: the beginning of stdin.
    /// - Returns: the list with the most records, then what else came from its path.
    /// - Throws: status 65 for one without a list, or that is cut.
    static func read(_ buffer: inout PieceBuffer) throws(ToolFailure) -> [Entry] {
        var traffic = RecordedTraffic()
        let place = ElementStream.Place(path: [Array("log".utf8), Array("entries".utf8)], isObject: false)
        var stream = ElementStream(place, keepsRest: false, limitBytes: entryBytes)
        var isLast = false
        do throws(ElementStream.Fault) {
            while !stream.isAtEnd {
                var index = 0
                while try stream.reachElement(buffer.text, &index, isLast: isLast) {
                    guard let element = try stream.takeElement(buffer.text, &index, isLast: isLast) else { break }
                    traffic.add(buffer.text.extracting(element.value))
                }
                buffer.drop(index)
                if isLast { break }
                do throws(SystemError) { isLast = try buffer.read(.standardInput) == 0 } catch { throw .cutShort }
            }
        } catch {
            let finding: Message =
                switch error {
                case .cutShort: "ends early; save it again"
                case .tooLarge: "has an entry of more than \(entryBytes >> 20) MiB; save one with the list alone"
                case .malformed(let fault): "isn't JSON: \(fault)"
                case .noList: "isn't a HAR; it takes a HAR or a curl command"
                }
            throw ToolFailure(.badData, "<stdin> \(finding)")
        }
        guard let best = traffic.best?.entry else {
            throw ToolFailure(
                .badData,
                stream.hasFound
                    ? "<stdin> is a HAR without a JSON list from a GET or POST; save it with content, after the list has loaded"
                    : "<stdin> is JSON but not a HAR; --learn - takes a HAR or a curl command")
        }
        let path = { (entry: Entry) in entry.request.url.prefix { $0 != "?" && $0 != "#" } }
        return [best]
            + traffic.others.filter { $0.request.method == best.request.method && path($0) == path(best) }
    }

    private mutating func add(_ entry: Span<UInt8>) {
        // Browsers also record responses that aren't JSON, and requests with URLs of other schemes.
        guard let entry = try? JSONTree.read(entry), let asked = entry["request"], let given = entry["response"],
            let method = asked["method"]?.string, ["GET", "POST"].contains(method),
            let text = asked["url"]?.string, let url = try? HTTPURL(text),
            let status = given["status"]?.integer, (200...299).contains(status), let body = Self.body(given),
            let answer = try? AnswerValue.read(body.span),
            let count = RecordsPlace.all(in: answer).first?.count
        else { return }
        let response = HTTPResponse(
            status: status, headers: Self.headers(given), body: body, redirectChain: [url])
        var request = CopiedRequest()
        request.method = method
        request.url = text
        request.body = asked["postData"]?["text"]?.string
        request.fields = Self.headers(asked).fields.map { ($0.name, ShellText.Word(text: $0.value)) }
        if body.count <= Self.keptBytes { others = others.suffix(Self.keptCount - 1) + [(request, response)] }
        if count > best?.count ?? 0 { best = ((request, response), count) }
    }

    private static func body(_ response: JSONTree) -> [UInt8]? {
        guard let content = response["content"], let text = content["text"]?.string else { return nil }
        return content["encoding"]?.string == "base64" ? Base64.decoded(text.utf8Bytes.span) : Array(text.utf8)
    }

    private static func headers(_ message: JSONTree) -> HTTPHeaders {
        var headers = HTTPHeaders()
        guard case .array(let fields)? = message["headers"] else { return headers }
        for field in fields.prefix(HTTPHeaders.limitCount) {
            if let name = field["name"]?.string, let value = field["value"]?.string { headers.append(name, value) }
        }
        return headers
    }
}
