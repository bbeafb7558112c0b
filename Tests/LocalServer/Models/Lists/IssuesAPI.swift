// A model of an API whose pages are linked in headers, in the shape of GitHub's issues (https://api.github.com).
//
//     GET /repos/pellow/lighthouse/issues?per_page=30&page=1
//     Link: <http://…/repositories/4711/issues?per_page=30&page=2>; rel="next"
//
// The body is a bare array. The links go to another path than was asked for, and are spelt in all the ways that RFC 8288
// allows: in two headers, several relations in one, unquoted, in capitals, after other parameters, relative, beside
// addresses with commas and a link whose anchor makes it another page's. A client without a name is refused.

/// The issues of a project, the same for each.
struct IssuesAPI: APIModel {
    static let count = 75

    let prefix = "/github"
    /// The origin of the pictures.
    let elsewhere: String

    func window(of request: Request) -> Window? {
        switch Self.route(segments(request)) {
        case ["repos", "issues"], ["repositories", "issues"]:
            let size = request.parameter("per_page").flatMap { Int($0) } ?? 30
            let number = request.parameter("page").flatMap { Int($0) } ?? 1
            return .page(number, size: min(max(1, size), 100))
        default: return nil
        }
    }

    func response(to request: Request, window: Window?) -> Response {
        guard request.header("user-agent") != nil else {
            return .text("Request forbidden by administrative rules. Send a User-Agent.\n", status: 403)
        }
        let limits = [
            Header("X-RateLimit-Limit", "60"), Header("X-RateLimit-Remaining", "59"),
            Header("X-RateLimit-Reset", "4102444800"),
        ]
        if let window {
            let page = window.range(in: Self.count).map { issue($0 + 1) }
            return .json(.array(page), headers: limits + links(window, request))
        }
        let parts = Self.route(segments(request))
        guard parts.count == 3, parts.dropLast() == ["repos", "issues"], let number = Int(parts[2]),
            (1...Self.count).contains(number)
        else { return .json(["message": "Not Found", "status": "404"], status: 404, headers: limits) }
        return .json(issue(number), headers: limits)
    }

    /// The parts of a path without the names of the project, whichever it is.
    private static func route(_ parts: [String]) -> [String] {
        switch parts.first {
        case "repos": ["repos"] + parts.dropFirst(3)
        case "repositories": ["repositories"] + parts.dropFirst(2)
        default: parts
        }
    }

    private func links(_ window: Window, _ request: Request) -> [Header] {
        let total = window.total(Self.count)
        let last = max(1, (total + window.size - 1) / window.size)
        let query = { (page: Int) in "?per_page=\(window.size)&page=\(page)" }
        let link = { (page: Int) in "<\(address("/repositories/4711/issues", request))\(query(page))>" }
        let next = window.page + 1
        var links =
            window.page > 1 ? [Header("Link", "\(link(1)); rel=\"first\", \(link(window.page - 1)); rel=prev")] : []
        guard next <= last else { return links }
        switch next == last ? 2 : window.page % 2 {
        case 1:
            let help = "<\(address("/help?topics=paging,links;all", request))>; rel=\"help\""
            links += [
                Header("Link", "\(help), \(link(next)); rel=\"prefetch next\""),
                Header("Link", "\(link(last)); rel=\"last\""),
            ]
        case 2:
            let other = "\(link(1)); rel=next; anchor=\"#another-list\""
            links.append(Header("Link", "\(link(next)); rel=\"next last\", \(other)"))
        default:
            let title = #"title="on, and on; rel=\"prev\"""#
            links.append(Header("Link", "<\(query(next))>; \(title) ; REL=Next , \(link(last));rel=last"))
        }
        return links
    }

    private func issue(_ number: Int) -> ModelJSON {
        let subjects = ["The lamp", "The bell", "The ferry", "Keeper's cat", "The fog horn", "Stair 39", "La clé"]
        let troubles = ["is too quiet", "won't start", "shows the wrong tide", "asks twice", "is out of oil"]
        let author = ["mick-t", "pearl", "old-barnaby", "juniper"][number % 4]
        let address = "https://github.example/pellow/lighthouse/issues/\(number)"
        return [
            "html_url": .string(address), "id": .number(2_000_000_000 + number * 17), "number": .number(number),
            "title": .string("\(subjects[number % 7]) \(troubles[number % 5])"),
            "user": [
                "login": .string(author), "id": .number(number % 4 + 1),
                "avatar_url": .string("\(elsewhere)/images/\(["fox", "crab", "owl", "bear"][number % 4]).png"),
            ],
            "labels": number % 3 == 0 ? [] : [["name": "weather", "color": "d73a4a"]],
            "state": number % 5 == 0 ? "closed" : "open", "comments": .number(number % 9),
            "body": number % 4 == 1 ? nil : "It did so \(number) times.\r\n",
        ]
    }
}
