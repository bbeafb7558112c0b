// Which options of the client go together.

import PipelineCore
import PipelineHTTP
import Testing

@Suite struct ClientOptionsTests {
    /// What is wrong with the options, nil where nothing is.
    private func mistake(_ change: (inout HTTPClient.Options) -> Void) -> String? {
        var options = HTTPClient.Options(userAgent: "")
        change(&options)
        do throws(UsageError) {
            try options.check()
            return nil
        } catch {
            return error.message
        }
    }

    @Test
    func `a recording is one way, and uses no cache`() {
        #expect(mistake { $0.recordPath = "r" } == nil)
        #expect(mistake { $0.replayPath = "r" } == nil)
        #expect(mistake { ($0.recordPath, $0.replayPath) = ("r", "s") }?.contains("two runs") == true)
        for name in ["--record", "--replay"] {
            let begin: (inout HTTPClient.Options) -> Void = {
                if name == "--record" { $0.recordPath = "r" } else { $0.replayPath = "r" }
            }
            let changes: [(option: String, change: (inout HTTPClient.Options) -> Void)] = [
                ("--offline", { $0.cache.isOffline = true }), ("--max-age", { $0.cache.maxAgeSeconds = 1 }),
                ("--stale-if-error", { $0.cache.staleIfErrorSeconds = 1 }),
                ("--cache", { $0.cache.location = .directory("c") }),
            ]
            for (option, change) in changes {
                let message = mistake {
                    begin(&$0)
                    change(&$0)
                }
                #expect(message == "\(name) uses no cache; leave out \(option)")
            }
        }
    }

    @Test
    func `what is about the cache needs one, and offline any age will do`() {
        #expect(mistake { $0.cache.location = .none } == nil)
        #expect(mistake { $0.cache.isOffline = true } == nil)
        #expect(mistake { ($0.cache.maxAgeSeconds, $0.cache.staleIfErrorSeconds) = (1, 2) } == nil)
        #expect(
            mistake { ($0.cache.location, $0.cache.isOffline) = (.none, true) }
                == "--offline needs the cache; leave out --cache none")
        #expect(
            mistake { ($0.cache.location, $0.cache.maxAgeSeconds) = (.none, 0) }
                == "--max-age needs the cache; leave out --cache none")
        let message = "--offline uses answers of any age; leave out --max-age and --stale-if-error"
        #expect(mistake { ($0.cache.isOffline, $0.cache.maxAgeSeconds) = (true, 0) } == message)
        #expect(mistake { ($0.cache.isOffline, $0.cache.staleIfErrorSeconds) = (true, 1) } == message)
    }
}
