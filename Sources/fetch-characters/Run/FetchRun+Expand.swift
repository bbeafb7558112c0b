// Writes records that need further requests, and accounts for what these didn't find:
//
//     a step whose response is the record   404, 410: left out, told, and the run ends with 1 and no seal
//     any other step                        the record is written without it, and counted; if no record had it, 76
//     a step that fails                     ends the run; with --on-error=skip its record is left out and told, and the
//                                           failure's status ends the run

import PipelineCore
import PipelineHTTP

/// What the steps of a run's records found, and what they lack.
struct StepTally {
    private struct Step {
        var found = 0
        var lacking: [ExpandedRecord.Lack: Int] = [:]

        var lackingCount: Int { lacking.values.reduce(0, +) }
    }

    /// Left-out records that are told one by one.
    static let mostMessages = 10

    private var steps: [Step]
    private(set) var lackingCount = 0
    private(set) var leftOutCount = 0
    /// Those of them that the service says aren't there.
    private(set) var missingCount = 0

    init(_ source: Source) { steps = source.expand.map { _ in Step() } }

    mutating func count(_ record: ExpandedRecord) {
        for index in record.steps.indices { steps[index].found += 1 }
        guard case .lacking(let lack) = record.outcome else { return }
        steps[record.steps.count].lacking[lack, default: 0] += 1
        lackingCount += 1
    }

    /// - Returns: whether it is one of those that are told.
    mutating func leaveOut(isMissing: Bool) -> Bool {
        leftOutCount += 1
        if isMissing { missingCount += 1 }
        return leftOutCount <= Self.mostMessages
    }

    /// What each step didn't find. `isAll` if it found nothing for any record.
    func findings(_ source: Source) -> [(text: String, isAll: Bool)] {
        zip(source.expand, steps).compactMap { described, step in
            guard step.lackingCount > 0 else { return nil }
            let causes = step.lacking.map { (count: $0.value, text: "\($0.key)") }
                .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
                .map { "\($0.count.grouped) \($0.text)" }.joined(separator: ", ")
            let isAll = step.found == 0
            let count = step.lackingCount
            let records =
                isAll ? RecordStream.count(count) : "\(count.grouped) of \((step.found + count).grouped) records"
            return ("step \(described.name) found nothing for \(records): \(causes)", isAll)
        }
    }
}

extension FetchRun {
    /// Writes the records of a page once their steps are done: each as soon as those before it are written, or all of
    /// them together if the state of the run is saved, so that none comes twice when the page is fetched again.
    func expand(
        _ fetched: FetchedPage, _ requests: SourceRequests, _ number: Int?, _ counts: inout RecordWriter.PageCounts
    ) throws(ToolFailure) {
        var expansion = FollowUpRequests(
            requests, body: fetched.body, from: fetched.url, areItems: !settings.ids.isEmpty)
        defer { expansion.stop(pool) }
        let id = source.members.first { $0.name == .id }
        let needsID = id.map { !$0.isOptional && $0.locations.allSatisfy { $0.step == nil } } ?? false
        var begun = 0
        for record in fetched.page.records where !writer.isAtLimit {
            while begun < fetched.page.records.count, expansion.count < min(settings.jobs, writer.room) {
                try expansion.begin(fetched.page.records[begun].range, pool)
                begun += 1
            }
            let expanded = try expansion.takeFirst(pool)
            let listed = fetched.body.span.extracting(record.range)
            switch expanded.outcome {
            case .absent(let absence):
                leaveOut(listed, absence, &counts)
                continue
            case .failed(let failure):
                try leaveOut(listed, failure, &counts)
                continue
            case .whole, .lacking: tally.count(expanded)
            }
            if let response = expanded.record, let object = JSONDocument.object(in: response.body.span) {
                let record = response.body.span.extracting(object)
                try writer.check(record, is: listed, needsID: needsID)
                try writer.write(
                    record, from: response.url, listed: listed, page: number, steps: expanded.steps, &counts)
            } else {
                try writer.write(
                    listed, from: fetched.url, listed: listed, page: number, steps: expanded.steps, &counts)
            }
            if !state.isKept || writer.bytesWaiting >= RecordWriter.waitingLimitBytes { try writer.flush() }
        }
    }

    /// Leaves a record out that its step says isn't there. A second reading of the list finds the same.
    private func leaveOut(
        _ listed: Span<UInt8>, _ absence: HTTPFailure, _ counts: inout RecordWriter.PageCounts
    ) {
        let hasIDs = source.members.contains { $0.name == .id }
        guard writer.leaveOut(listed, hasIDs: hasIDs, &counts) else { return }
        state.noteMissing()
        let isTold = tally.leaveOut(isMissing: true)
        guard isTold, settings.ids.isEmpty, let step = source.expand.first(where: \.isRecord) else { return }
        diagnostics.error(
            "step \(step.name): \(absence.lastingDescription.what), so its record is left out (\(absence.shownURL ?? "")); "
                + "run it again, or ask the service to take it off its list")
    }

    /// Leaves a record out whose step failed, if the user wants that.
    /// - Throws: the failure, if it ends the run.
    private func leaveOut(
        _ listed: Span<UInt8>, _ failure: ToolFailure, _ counts: inout RecordWriter.PageCounts
    ) throws(ToolFailure) {
        guard settings.skipsFailures, failure.status.isOfService, !Signals.isRequested else { throw failure }
        let hasIDs = source.members.contains { $0.name == .id }
        guard writer.leaveOut(listed, hasIDs: hasIDs, &counts) else { return }
        state.note(failure: failure.status)
        guard tally.leaveOut(isMissing: false) else { return }
        diagnostics.error("a record is left out: \(failure.message)")
    }

    /// Tells what the steps didn't find.
    /// - Throws: status 76 if one of them found nothing for any record of a list.
    func checkSteps() throws(ToolFailure) {
        let rest = tally.leftOutCount - StepTally.mostMessages
        if rest > 0, settings.ids.isEmpty {
            diagnostics.error("\(rest.grouped) more \(rest == 1 ? "record is" : "records are") left out")
        }
        // A few records, as those of a search, may all lack what others have.
        let isWhole = settings.ids.isEmpty && settings.search == nil && settings.since == nil
        for finding in tally.findings(source) {
            if finding.isAll, isWhole, state.recordsOut == 0 {
                throw ToolFailure(
                    .protocolError,
                    "\(finding.text); compare the step's url in the description with the list, as the API may have changed"
                )
            }
            diagnostics.warning("\(finding.text), which lack its members")
        }
    }
}
