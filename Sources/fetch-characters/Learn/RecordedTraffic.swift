// Decides which request of a browser's recording (HAR 1.2) is the list's: that with the most records.

import PipelineCore
import PipelineHTTP

struct RecordedTraffic {
    private static let entryBytes = 64 << 20
    /// Answers that are kept beside the list's own, as they may be other pages of it.
    private static let (keptCount, keptBytes) = (16, 1 << 20)

    typealias Entry = (request: CopiedRequest, response: HTTPResponse)

    private var best: (entry: Entry, count: Int)?
    /// The latest with a list.
    private var others: [Entry] = []
    /// The statuses of all requests that may be lists.
    private var refused = RefusedRequests.none

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
        if let best = traffic.best?.entry {
            return [best] + traffic.others.filter { $0.request.isSameList(as: best.request) }
        }
        if let failure = traffic.refused.failure(at: nil, isRecorded: true) { throw failure }
        guard stream.hasFound else {
            throw ToolFailure(.badData, "<stdin> is JSON but not a HAR; --learn - takes a HAR or a curl command")
        }
        throw ToolFailure(
            .badData,
            "<stdin> is a HAR without a JSON list from a GET or POST; save it with content, after the list has loaded"
        )
    }

    private mutating func add(_ text: Span<UInt8>) {
        guard let tree = try? JSONTree.read(text), let asked = tree["request"], let given = tree["response"],
            let request = Self.request(asked), let url = try? HTTPURL(request.url),
            let status = given["status"]?.integer
        else { return }
        // Pictures, styles and pages say what they are, and a refusal of one is none of the list.
        let isJSON = given["content"]?["mimeType"]?.string?.lowercased().contains("json") ?? false
        let accepts = Self.headers(asked)["Accept"]?.lowercased() ?? "*/*"
        let isOfPage = ["text/html", "image/"].contains(where: accepts.contains)
        if isJSON || !isOfPage { refused.note(status) }
        guard (200...299).contains(status), let body = Self.body(given),
            let answer = try? JSONTree.shape(of: body.span), let count = RecordsPlace.all(in: answer).first?.count
        else { return }
        let response = HTTPResponse(
            status: status, headers: Self.headers(given), body: body, redirectChain: [url])
        if body.count <= Self.keptBytes { others = others.suffix(Self.keptCount - 1) + [(request, response)] }
        if count > best?.count ?? 0 { best = ((request, response), count) }
    }

    /// Nil for one that asks for no list: browsers also record requests with other methods, and URLs of other schemes.
    private static func request(_ asked: JSONTree) -> CopiedRequest? {
        guard let method = asked["method"]?.string, ["GET", "POST"].contains(method),
            let url = asked["url"]?.string
        else { return nil }
        let data = ["text", "mimeType"].map { name in
            asked["postData"]?[name]?.string?.nonEmpty
        }
        let fields = headers(asked).fields.map { ($0.name, ShellText.Word(text: $0.value)) }
        return CopiedRequest(method: method, url: url, fields: fields, body: data[0], mediaType: data[1])
    }

    private static func body(_ response: JSONTree) -> [UInt8]? {
        guard let content = response["content"], let text = content["text"]?.string else { return nil }
        // Firefox says base64 of plain text too.
        let first = text.utf8.first { $0 > 0x20 }
        let isJSON = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first)
        guard content["encoding"]?.string == "base64", !isJSON else { return Array(text.utf8) }
        let packed = text.utf8.filter { $0 > 0x20 }
        return Base64.decoded(packed.span) ?? Array(text.utf8)
    }

    private static func headers(_ message: JSONTree) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in (message["headers"]?.elements ?? []).prefix(HTTPHeaders.limitCount) {
            if let name = field["name"]?.string, let value = field["value"]?.string { headers.append(name, value) }
        }
        return headers
    }
}
