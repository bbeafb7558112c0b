// All that the server serves: the APIs and the pictures, and what a fault makes of their answers.

import PipelineCore

/// Shared by the connections.
final class Site: Sendable {
    /// The APIs, each under its prefix.
    let models: [any APIModel]
    let pictures: Pictures
    let faults: FaultTable
    let log: RequestLog?
    /// Clients that ask for gzip get it.
    let compresses: Bool
    /// `http://127.0.0.1:PORT`
    let base: String

    init(options: Options, base: String) throws(ToolFailure) {
        self.base = base
        pictures = Pictures(folder: options.picturesPath)
        models = try ModelList.models(options, base: base)
        compresses = options.compresses
        faults = FaultTable(options.faults)
        log = if let path = options.logPath { try RequestLog(path: path) } else { nil }
    }

    private func model(_ request: Request) -> (any APIModel)? { models.first { $0.owns(request) } }

    /// The fault that takes this request, which counts as one for it.
    func fault(for request: Request) -> Fault? {
        let page = model(request)?.window(of: request)?.page ?? request.parameter("page").flatMap { Int($0) }
        return faults.fault(for: request, page: page)
    }

    /// The answer, nil where the request is never answered.
    func response(to request: Request, fault: Fault?) -> Response? {
        guard let fault else { return usual(request) }
        guard var answer = content(request, fault) else { return nil }
        apply(fault, to: &answer)
        return answer
    }

    private func usual(_ request: Request, page: Int? = nil, shift: Int = 0) -> Response? {
        guard let answer = routed(request, page: page, shift: shift) else { return nil }
        return answer.status == 200 && isCurrent(answer, request) ? answer.notModified() : answer
    }

    /// - Parameters:
    ///   - page: this page of the list in place of the one that is asked for.
    ///   - shift: as if so many records had been put in front of the list.
    private func routed(_ request: Request, page: Int? = nil, shift: Int = 0) -> Response? {
        if request.path.hasPrefix("/images/") {
            return pictures.response(Request.decoded(request.path.dropFirst("/images/".count)))
                ?? .notFound(request)
        }
        guard let model = model(request) else { return .notFound(request) }
        var window = model.window(of: request)
        if let page, let size = window?.size { window = .page(page, size: size) }
        window?.shift = shift
        return model.response(to: request, window: window)
    }

    /// Whether the client has this answer already (RFC 9110, 13.2.2): by tag, weakly compared, else by date.
    private func isCurrent(_ answer: Response, _ request: Request) -> Bool {
        let value: (String) -> String? = { name in
            answer.headers.first { $0.name == name }.map { FaultSpec.string($0.value) }
        }
        if let asked = request.header("if-none-match") {
            guard let tag = value("ETag") else { return false }
            return asked == "*" || asked.split(separator: ",").contains { Self.opaque($0) == Self.opaque(tag[...]) }
        }
        return request.header("if-modified-since").map { $0 == value("Last-Modified") } ?? false
    }

    /// An entity tag without its mark of weakness.
    private static func opaque(_ tag: Substring) -> Substring {
        let trimmed = tag.drop { $0 == " " }
        return trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
    }

    private func content(_ request: Request, _ fault: Fault) -> Response? {
        switch fault.content {
        case .usual:
            if let status = fault.status, status >= 300 { return .error(status) }
            return usual(request)
        case .fixed(let body, let type): return Response(type: type, body: BaseMark.replaced(body, by: base))
        case .empty:
            guard var answer = routed(request) else { return nil }
            answer.body = []
            return answer
        case .cut:
            guard var answer = routed(request) else { return nil }
            answer.body.removeLast((answer.body.count + 1) / 2)
            return answer
        case .redirect(let address): return .redirect(BaseMark.replaced(address, by: base))
        case .loop: return .redirect(Array(request.target.utf8))
        case .page(let page): return usual(request, page: page)
        case .shifted(let count): return usual(request, shift: count)
        }
    }

    private func apply(_ fault: Fault, to answer: inout Response) {
        if let status = fault.status { answer.status = status }
        if let type = fault.contentType { answer.set(Header("Content-Type", bytes: type)) }
        if let value = fault.retryAfter { answer.set(Header("Retry-After", bytes: value)) }
        if fault.startsWithMark { answer.body.insert(contentsOf: [0xef, 0xbb, 0xbf], at: 0) }
        let names = Set(fault.headers.map { $0.name.lowercased() })
        answer.headers.removeAll { names.contains($0.name.lowercased()) }
        answer.headers += fault.headers.map { Header($0.name, bytes: BaseMark.replaced($0.value, by: base)) }
    }
}
