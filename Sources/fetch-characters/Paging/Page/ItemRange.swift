// Decides which part of a list a response has, as the header field Content-Range says it in the unit `items`:
//
//     Content-Range: items 0-45/900          Content-Range: items 0-45/*

import PipelineHTTP

enum ItemRange {
    /// The number of items in the whole list. Nil where the field isn't there, is of another unit or doesn't know.
    static func whole(in headers: HTTPHeaders) -> Int? {
        guard let field = headers["Content-Range"] else { return nil }
        let words = field.split { $0 == " " || $0 == "\t" }
        guard words.count == 2, words[0].lowercased() == "items" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(parts[1])
    }
}
