// Single records: those that --id names, and the lists of --each, one for each record of stdin.

import PipelineCore
import PipelineHTTP

extension FetchRun {
    /// Fetches the records that `--id` names, some of them ahead.
    /// - Returns: `.answerIsNo` where one of them isn't there.
    mutating func fetchItems() throws(ToolFailure) -> ExitStatus {
        var tickets: [Ticket] = []
        var asked = state.itemsDone
        while state.itemsDone < settings.ids.count, !writer.isAtLimit {
            while asked < settings.ids.count, asked - state.itemsDone < settings.jobs {
                tickets.append(pool.ask(try itemRequest(settings.ids[asked])))
                asked += 1
            }
            let id = settings.ids[state.itemsDone]
            let fetched = try item(tickets.removeFirst(), id)
            let isMissing = fetched?.page.records.isEmpty ?? true
            if let fetched, !isMissing {
                _ = try write(fetched, requests, number: nil)
            } else {
                diagnostics.error("no record has the id \(id); find the right one with --search")
            }
            try state.saveItem(isMissing: isMissing, &writer)
        }
        return state.missesItem ? .answerIsNo : .done
    }

    func itemRequest(_ id: String) throws(ToolFailure) -> HTTPRequest {
        let request = try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in try requests.item(id) }
        guard let request else {
            throw ToolFailure(.usage, "\(source.name) gives no single records; leave out --id")
        }
        return request
    }

    /// One record, nil where there is none.
    private mutating func item(_ ticket: Ticket, _ id: String) throws(ToolFailure) -> FetchedPage? {
        defer { pool.drop(ticket) }
        do throws(HTTPFailure) {
            return try usablePage(ticket, isList: false)
        } catch {
            // Some services call an id that they don't know a bad request.
            if let status = error.httpStatus, [400, 404, 410].contains(status) { return nil }
            throw ToolFailure(error, about: "id \(id)")
        }
    }

    /// Fetches a list for each record of stdin.
    mutating func fetchEach() throws(ToolFailure) -> ExitStatus {
        guard let member = settings.each, let parameter = source.each else { return .done }
        var input = try EachInput(settings.input, member, diagnostics)
        var count = 0
        while !writer.isAtLimit, let value = try input.next() {
            count += 1
            guard count > state.itemsDone else { continue }
            try fetchList(requests.setting(parameter, to: value), subject: "\(parameter) \(value)")
            try state.saveItem(&writer)
            writer.idsOfReading = SeenIDs()
        }
        report.badLines = input.badLineCount
        // That of the last list says nothing of all.
        figures.expected = nil
        try input.close()
        guard input.badLineCount == 0 || writer.isAtLimit else {
            try state.remove()
            try writer.flush()
            return .badData
        }
        return .done
    }
}
