// fetch-images: a picture for every record.

import PipelineCore
import PipelineHTTP

/// The tool.
enum FetchImages {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(Command.fetchImages, ImagesSettings()) { (given, diagnostics, report) throws(ToolFailure) in
            var settings = given
            if settings.verifies { return try StoreCheck.run(settings.directory, &report.figures, diagnostics) }
            settings.jobs = OpenFiles.connections(given.jobs)
            var options = settings.client
            options.idleConnections = settings.jobs
            options.progress = diagnostics.progress
            let store = StoreDirectory(settings)
            options.notedBody = { store.picture(ofNote: $0) }
            let client: HTTPClient
            do throws(HTTPFailure) { client = try HTTPClient(options) } catch {
                throw ToolFailure(error)
            }
            var run = try ImagesRun(settings, client, store, diagnostics)
            defer { report.figures = run.figures }
            return try run.run()
        }
    }
}
