// Runs of the HTTP client with a cache in a directory, for the suites of the cache.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

enum CacheRun {
    /// One run of a client with the cache in `cache`: each request to its end, one after the other.
    static func run(
        _ requests: [HTTPRequest], _ folder: ScratchFolder, _ change: (inout HTTPClient.Options) -> Void = { _ in }
    ) throws -> [HTTPClient.Completion] {
        var options = HTTPClient.Options(userAgent: "test")
        options.retry.retries = 1
        options.retry.baseSeconds = 0.001
        options.cache.location = .directory(folder.path("cache"))
        change(&options)
        var client = try HTTPClient(options)
        var completions: [HTTPClient.Completion] = []
        for request in requests {
            client.submit(request, tag: completions.count)
            while case .completed(let completion) = client.next() {
                client.keep(completion)
                completions.append(completion)
            }
        }
        return completions
    }

    static func get(
        _ url: String, _ folder: ScratchFolder, _ change: (inout HTTPClient.Options) -> Void = { _ in }
    ) throws -> HTTPClient.Completion {
        try #require(try run([try HTTPRequest(url)], folder, change).first)
    }

    static func files(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path("cache")).filter { $0.count > 60 }
    }
}
