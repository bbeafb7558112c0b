// filter-search: the records that match.

import PipelineCore

Tool.run(
    Command.filterSearch, FilterSettings(), readsStandardInput: { $0.files.isEmpty || $0.files.contains("-") }
) { (settings, diagnostics) throws(ToolFailure) in
    let queries: [TextQuery]
    do throws(UsageError) {
        queries = try settings.searchedTexts().map {
            TextQuery(Array($0.utf8).span, strength: settings.strength, placement: settings.placement)
        }
    } catch {
        throw ToolFailure(.usage, error.message)
    }
    let fields = settings.searchesAnyField ? [] : settings.fields.isEmpty ? ["name"] : settings.fields
    let query = QuerySet(queries, all: settings.requiresAll)
    let filter = RecordFilter(fields: fields, query: query, readsAll: settings.isInverted || settings.isStrict)
    var run = try FilterRun(settings, filter, diagnostics)
    return try run.run()
}
