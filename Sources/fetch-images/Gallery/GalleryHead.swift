// The part of a page before its records: markup, style and script, and the data that the script needs.

import PipelineCore

enum GalleryHead {
    /// The title that nobody gave: the file's name without its extension.
    /// - Parameter path: of the page.
    static func title(_ path: String) -> String {
        let name = path.displayedPath.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// - Parameters:
    ///   - title: of the page, which is its heading too.
    ///   - memberName: the member that describes a record's picture.
    static func text(_ fixed: GalleryPage, title: String, _ memberName: String) -> [UInt8] {
        var page = fixed.beforeTitle
        GalleryText.append(Array(title.utf8).span, to: &page)
        page += fixed.beforeHeading
        GalleryText.append(Array(title.utf8).span, to: &page)
        page += fixed.beforeData
        let settings = ByteBuffer.object { object in
            object.addMember("member", memberName)
            object.addMember("folding") {
                $0.addMember("shift", FoldingTexts.blockShift)
                $0.addMember("count", FoldingTexts.stageCount)
            }
        }
        page += "<script type=\"application/json\" id=\"settings\">".utf8
        GalleryText.append(json: settings.span, to: &page)
        page += "</script>\n".utf8
        appendTable("stages", FoldingTexts.stages, to: &page)
        appendTable("blocks", FoldingTexts.blocks, to: &page)
        appendTable("atoms", FoldingTexts.atoms, to: &page)
        appendTable("spellings", FoldingTexts.spellings, to: &page)
        page += fixed.beforeRecords
        return page
    }

    private static func appendTable(_ name: String, _ table: StaticString, to page: inout [UInt8]) {
        page += "<script type=\"text/plain\" id=\"\(name)\">".utf8
        page.append(table.bytes)
        page += "</script>\n".utf8
    }
}
