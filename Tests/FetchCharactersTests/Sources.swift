// Sources for the tests: the built-in ones, and small ones with a part of their own.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

extension SentKey {
    static func named(_ name: String, _ placement: Placement) -> SentKey {
        let key = Source.Key(variable: name, isLogin: false, placement: placement, prefix: "", isRequired: true)
        return SentKey(key, HTTPSecret(key: name, HTTPSecret.Value("s3cret"), shellText: "$\(name)"))
    }
}

extension Source {
    /// A built-in source.
    static func named(_ name: String) throws -> Source {
        try #require(BuiltInSource.all.first { $0.name == name }).file.source()
    }

    /// The mistakes of a description, or where it isn't JSON.
    static func mistakes(_ text: String) -> [String] {
        do throws(DescriptionError) {
            _ = try Source(description: Array(text.utf8).span)
            return []
        } catch {
            switch error {
            case .mistakes(let mistakes): return mistakes
            case .syntax(let error, let line, let column): return ["\(line):\(column): \(error)"]
            }
        }
    }

    /// A source whose description has these members beside its name and address.
    /// - Parameters:
    ///   - members: a path of their own comes first.
    ///   - file: the text of a file beside the description.
    static func having(_ members: String, file: @escaping (String) -> String? = { _ in nil }) throws -> Source {
        let path = members.hasPrefix(#""path":"#) ? "" : #""path":"/list","#
        let text = #"{"name":"test","baseURL":"https://h",\#(path)"records":"data",\#(members)}"#
        return try Source(description: Array(text.utf8).span, file: file)
    }
}

extension HTTPRequest {
    /// Method, path with query, and body, of a request to `https://h`.
    var sent: String {
        let text = body.map { " " + String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        return method + " " + url.text.dropFirst("https://h".count) + text
    }
}

extension SourceRequests {
    func setting(_ placement: Placement, to text: String) -> SourceRequests {
        setting(placement, to: .string(text))
    }
}

extension Page.Fault {
    /// What a response is that isn't a page, in words.
    var finding: String? {
        switch self {
        case .broken(let finding), .foreign(let finding): finding
        case .cutShort, .refused, .busy: nil
        }
    }
}
