// fetch-images: a picture for every record.

import PipelineCore
import PipelineHTTP

Tool.run(Command.fetchImages, ImagesSettings(), readsStandardInput: { _ in true }) {
    (settings, diagnostics) throws(ToolFailure) in
    diagnostics.isQuiet = settings.isQuiet
    var options = settings.client
    options.idleConnections = settings.jobs
    let client: HTTPClient
    do throws(HTTPFailure) { client = try HTTPClient(options) } catch { throw ToolFailure(.defect, "\(error)") }
    var run = try ImagesRun(settings, client, diagnostics)
    return try run.run()
}
