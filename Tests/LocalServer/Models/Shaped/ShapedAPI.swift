// One engine for the APIs that Documentation/sources describes: a file of Catalogue/apis says what each looks like, its
// paging and its oddities included, and the records are of this project's own invention. So a description is tried
// against an API of that shape before anybody asks the service itself.
//
//     {"count": 45, "record": {"id": "{n}", "name": "{name}"},
//      "lists": [{"path": "/people", "paging": {"type": "page", "parameter": "page", "size": {"value": 10}},
//                 "answer": {"total": "{total}", "people": "{records}"}, "search": {"parameter": "name"}}],
//      "items": [{"path": "/people/{id}"}]}

import Foundation
import PipelineCore

/// A model of an API that a file describes.
struct ShapedAPI: APIModel {
    private static let known = [
        "prefix", "count", "file", "id", "holes", "newestFirst", "record", "lists", "items", "redirects", "key",
        "wants",
    ]

    let prefix: String
    private let records: ShapedRecords
    private let lists: [ShapedList]
    private let items: [ShapedItem]
    private let redirects: [ShapedRedirect]
    private let key: ShapedKey?
    /// Header fields without which it refuses to answer.
    private let wants: [RequiredValue]

    /// - Parameter name: of the file, without its suffix; the path under which it is served, where none is said.
    /// - Parameter folder: of the files of records.
    init(_ value: JSONTree, _ name: String, folder: String, base: String) throws(ToolFailure) {
        let reader = try ShapeReader(value, name, known: Self.known)
        prefix = try reader.text("prefix") ?? "/\(name)"
        records = try ShapedRecords(reader, folder: folder, base: base)
        key = if let value = reader.value("key") { try ShapedKey(value, name + ".key") } else { nil }
        wants = try reader.elements("wants") { (value, place) throws(ToolFailure) in
            try RequiredValue(value, place)
        }
        guard let record = reader.value("record") else { throw reader.failure("record", "is missing") }
        lists = try reader.elements("lists") { (value, place) throws(ToolFailure) in
            try ShapedList(value, place, record: record)
        }
        items = try reader.elements("items") { (value, place) throws(ToolFailure) in
            try ShapedItem(value, place, record: record)
        }
        redirects = try reader.elements("redirects") { (value, place) throws(ToolFailure) in
            try ShapedRedirect(value, place)
        }
    }

    private func list(_ request: Request) -> (list: ShapedList, captures: [String: String])? {
        let segments = segments(request)
        guard !items.contains(where: { !$0.isInPath && $0.captures(request, segments) != nil }) else { return nil }
        return lists.lazy.compactMap { list in
            list.route.captures(request, segments).map { (list, $0) }
        }.first
    }

    func window(of request: Request) -> Window? {
        list(request).flatMap { list, captures in list.window(records, request, captures) }
    }

    func response(to request: Request, window: Window?) -> Response? {
        if let refusal = key?.refusal(of: request) { return refusal }
        guard wants.allSatisfy({ $0.isThere(in: request, [:]) }) else {
            return .json(["error": "a header is missing"], status: 400)
        }
        var common: [String: JSONTree] = [
            "origin": .string(address("", request)), "prefix": .string(prefix),
            "key": .optional(key?.text(of: request)),
        ]
        if let (list, captures) = list(request) {
            common["parent"] = captures["parent"].map { .string($0) }
            return list.response(records, request, captures, window: window, common: common)
                ?? .json(["error": "no such list"], status: 404)
        }
        let segments = segments(request)
        if let address = redirects.lazy.compactMap({ $0.address(request, segments) }).first {
            return .redirect(Array(address.utf8), status: 303)
        }
        for item in items {
            guard let captures = item.captures(request, segments) else { continue }
            return item.response(records, request, captures, common: common)
        }
        return .json(["error": "no such path"], status: 404)
    }

    /// The models that the files of the folder's `apis` describe, a longer prefix before a shorter one.
    /// - Throws: status 65 for a file that isn't such a description.
    static func all(in folder: String, base: String) throws(ToolFailure) -> [ShapedAPI] {
        let files = FileManager.default.subpaths(atPath: folder + "/apis") ?? []
        var models: [ShapedAPI] = []
        for file in files.filter({ $0.hasSuffix(".json") }).sorted() {
            let data = FileManager.default.contents(atPath: "\(folder)/apis/\(file)") ?? Data()
            let bytes = BaseMark.replaced([UInt8](data), by: base)
            let tree: JSONTree
            do throws(JSONError) {
                tree = try JSONTree.read(bytes.span)
            } catch {
                throw ToolFailure(.badData, "\(folder)/apis/\(file): \(error)")
            }
            models.append(try ShapedAPI(tree, String(file.dropLast(".json".count)), folder: folder, base: base))
        }
        return models.sorted { $0.prefix.count > $1.prefix.count }
    }
}
