// The generated documents: what each command says of itself, and the files that hold that.
//
// `scripts/generate-documents` sets CASTLINE_WRITE_DOCUMENTS, and the test that compares the files writes them then.

import Foundation
import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters
@testable import fetch_images
@testable import filter_search
@testable import store_plist

/// A generated file.
struct ToolDocument: CustomTestStringConvertible, Sendable {
    /// Below `Documentation/`.
    let path: String
    let text: String

    var testDescription: String { path }
    var fullPath: String { Fixtures.checkout + "/Documentation/" + path }

    static let tools = ["fetch-characters", "fetch-images", "filter-search", "store-plist"]
    /// The date that the manual pages carry: of the version that they describe.
    private static let date = "November 21, 2026"

    static let all: [ToolDocument] =
        documents(of: Command.fetchCharacters, related: ["castline-source 5"])
        + documents(of: Command.fetchImages, related: [])
        + documents(of: Command.filterSearch, related: [])
        + documents(of: Command.storePlist, related: [])

    static var manualPages: [ToolDocument] { all.filter { $0.path.hasSuffix(".1") } }

    private static func documents<Settings>(of command: Command<Settings>, related: [String]) -> [ToolDocument] {
        let name = command.name
        let others = tools.filter { $0 != name }.map { "\($0) 1" }
        let page = command.manualPage(
            date: date, further: part(name), related: others + related + ["castline 7"])
        return [
            ToolDocument(path: "man/\(name).1", text: page),
            ToolDocument(path: "completions/\(name).bash", text: command.bashCompletion),
            ToolDocument(path: "completions/_\(name)", text: command.zshCompletion),
            ToolDocument(path: "completions/\(name).fish", text: command.fishCompletion),
        ]
    }

    /// What a page says that no option does, written by hand; empty where there is nothing.
    private static func part(_ name: String) -> String {
        let data = FileManager.default.contents(atPath: Fixtures.checkout + "/Documentation/man/parts/\(name).mdoc")
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
