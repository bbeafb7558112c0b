// A model of an API behind a CDN that turns requests away with a page for people: a bot check, or a limit.
//
//     /guarded/unnamed?page=2     403 to whoever doesn't say in User-Agent whom to ask, as in (+me@example.org)
//     /guarded/fast?page=2        429 with Retry-After: 1 to a request that comes within a quarter of a second of the one before
//     /guarded/busy?page=2        503 without Retry-After to the third request, once
//     /guarded/closed?page=2      403, whoever asks
//     /guarded/lying?page=2       200 with the page in place of records
//
// The lists have thirty records, five on a page.

import PipelineCore
import Synchronization

final class GuardedAPI: APIModel {
    private struct State {
        var count = 0
        var lastSeconds = -1e9
    }

    private static let count = 30
    private static let pageSize = 5
    private static let leastSeconds = 0.25

    let prefix = "/guarded"
    private let state = Mutex(State())

    func window(of request: Request) -> Window? {
        guard segments(request).count == 1 else { return nil }
        return .page(request.parameter("page").flatMap { Int($0) } ?? 1, size: Self.pageSize)
    }

    func response(to request: Request, window: Window?) -> Response? {
        guard let window, let list = segments(request).first else { return .notFound(request) }
        let (number, pause) = state.withLock { state in
            let now = MonotonicClock.seconds
            defer { (state.count, state.lastSeconds) = (state.count + 1, now) }
            return (state.count + 1, now - state.lastSeconds)
        }
        switch list {
        case "unnamed" where request.header("user-agent")?.contains("(+") != true: return .guardPage(403)
        case "fast" where pause < Self.leastSeconds: return .guardPage(429, headers: [Header("Retry-After", "1")])
        case "busy" where number == 3: return .guardPage(503)
        case "closed": return .guardPage(403)
        case "lying" where window.page > 1: return .guardPage(200)
        case "unnamed", "fast", "busy", "lying": break
        default: return .notFound(request)
        }
        let records = window.range(in: Self.count).map { number -> JSONTree in
            ["id": .integer(number + 1), "name": .string("Guarded \(number + 1)")]
        }
        return .json(["total": .integer(window.total(Self.count)), "data": .array(records)])
    }
}
