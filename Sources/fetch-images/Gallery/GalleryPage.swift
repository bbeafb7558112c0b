// The fixed pieces of the gallery's page: page.html, with the style and the scripts inserted, and with a policy
// that allows only these, by their digests (CSP Level 3, section 2.3.1).

import PipelineCore
import PipelineHTTP

/// The fixed pieces of a page. The build embeds the files in Page.
struct GalleryPage {
    /// Up to the title, from there to the heading, to the folding data, to the records, and the rest.
    private var pieces: [[UInt8]] = [[]]

    init() throws(ToolFailure) {
        let style = PackageResources.page_css
        let script =
            PackageResources.folding_js + PackageResources.loose_js + PackageResources.records_js
            + PackageResources.search_js + PackageResources.grid_js + PackageResources.detail_js
            + PackageResources.facts_js + PackageResources.page_js
        let digest = try SHA256()
        var rest = PackageResources.page_html[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
            add(rest[..<start])
            switch String(decoding: rest[(start + 2)..<end], as: UTF8.self) {
            case "style": add(style[...])
            case "style-hash": add(Self.source(digest.digest(style.span))[...])
            case "script": add(script[...])
            case "script-hash": add(Self.source(digest.digest(script.span))[...])
            case "title", "heading", "data", "records": pieces.append([])
            case let name: preconditionFailure("page.html has a mark that nothing stands for: \(name)")
            }
            rest = rest[(end + 2)...]
        }
        add(rest)
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) { pieces[pieces.count - 1] += bytes }

    /// A digest as a policy spells it.
    private static func source(_ digest: [UInt8]) -> [UInt8] {
        var text = Array("'sha256-".utf8)
        Base64.append(digest.span, to: &text)
        return text + "'".utf8
    }

    var beforeTitle: [UInt8] { pieces[0] }
    var beforeHeading: [UInt8] { pieces[1] }
    var beforeData: [UInt8] { pieces[2] }
    var beforeRecords: [UInt8] { pieces[3] }
    var end: [UInt8] { pieces[4] }
}
