// What the models of the other APIs have in common: each answers under a prefix of its own, and its lists have pages,
// so that a fault can name one, repeat one, or move the records under the reader.

import PipelineCore

protocol APIModel: Sendable {
    /// The path under which it lives, as in `/dogapi`. What `--base-url` is given is this or a path below it.
    var prefix: String { get }

    /// The part of a list that is asked for; nil where the request asks for something else.
    func window(of request: Request) -> Window?

    /// The answer to a GET under the prefix, nil where the request is never answered.
    /// - Parameter window: of a list, as the request or a fault has it.
    func response(to request: Request, window: Window?) -> Response?
}

extension APIModel {
    func owns(_ request: Request) -> Bool {
        request.path == prefix || request.path.hasPrefix(prefix + "/")
    }

    /// The parts of the path below the prefix, decoded.
    func segments(_ request: Request) -> [String] {
        request.path.dropFirst(prefix.count).split(separator: "/").map { Request.decoded($0) }
    }

    /// The address of a path below the prefix, as the client knows this server.
    func address(_ path: String, _ request: Request) -> String {
        "http://\(request.header("host") ?? "localhost")\(prefix)\(path)"
    }
}

/// A part of a list.
struct Window: Equatable, Sendable {
    /// Records before it.
    var offset: Int
    /// Records that it has room for.
    var size: Int
    /// As if so many records had been put in front of the list.
    var shift = 0

    /// The part that page `number`, from 1, of so many records is. Numbers past any list's end are an end too.
    static func page(_ number: Int, size: Int) -> Window {
        let (offset, overflow) = max(0, number - 1).multipliedReportingOverflow(by: size)
        return Window(offset: overflow ? .max / 2 : offset, size: size)
    }

    /// Counted from 1.
    var page: Int { size > 0 ? offset / size + 1 : 1 }

    /// The place after it.
    var end: Int { min(offset, .max / 2) + min(size, .max / 2) }

    /// How many records there are for the client, of so many.
    func total(_ count: Int) -> Int { count + shift }

    /// The places of its records in a list of so many.
    func range(in count: Int) -> Range<Int> {
        let start = min(max(0, offset - shift), count)
        return start..<max(start, min(end - shift, count))
    }

    /// Whether a page follows, of so many records.
    func hasNext(_ count: Int) -> Bool { end < total(count) }
}

/// The APIs that are served; Disney's has all paths that no other one has.
enum ModelList {
    /// What `--help` says of each.
    static let help = """
          /tokens              a list for those with a token, and the service that gives it
          /guarded             a list behind a CDN that turns requests away
          and one for each file of apis/ among the records, under its name or the prefix that it says
        """

    /// - Throws: status 66 or 65 for a file of records.
    static func models(_ options: Options, base: String) throws(ToolFailure) -> [any APIModel] {
        var models: [any APIModel] = [TokenAPI(), GuardedAPI()]
        if let folder = options.recordsPath { models = try models + ShapedAPI.all(in: folder, base: base) }
        return try models + [DisneyAPI(catalogue: Catalogue(path: options.cataloguePath, base: base))]
    }
}
