// fetch-images: a picture for every record.

import PipelineCore
import PipelineHTTP

enum FetchImages {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(Command.fetchImages, ImagesSettings(), readsStandardInput: { !$0.verifies }) {
            (given, diagnostics) throws(ToolFailure) in
            var settings = given
            settings.jobs = OpenFiles.connections(given.jobs)
            diagnostics.follow(settings.messages, writesRecords: true)
            try Tool.check(settings.check)
            try settings.checkFiles()
            let report = try ReportFile.opened(settings.reportPath)
            if settings.verifies { return try StoreCheck.run(settings.directory, report, diagnostics) }
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
            let result = Result { () throws(ToolFailure) in try run.run() }
            try report?.write(run.closedReport(), result)
            return try result.get()
        }
    }
}
