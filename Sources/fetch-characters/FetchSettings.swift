// The settings of fetch-characters, set by its command line.

import PipelineCore
import PipelineHTTP

struct FetchSettings: ClientSettings {
    enum FailurePolicy { case stop, skip }

    /// How records are written, and what is added to them.
    struct RecordForm {
        /// As the service has them.
        var isRaw = false
        var addsPage = false
        /// The values of `--each`.
        var addsEach = false
        var addsSeal = false
    }

    var listsSources = false
    var shownSource: String?
    var isPlan = false
    var source = "disney"
    /// `--learn`: the URL of a list whose description is wanted, a curl command, or `-`.
    var learntURL: String?
    /// `--input`: a file with a response, or `-`.
    var inputPath: String?
    var baseURL: String?
    /// Nil for all records.
    var search: String?
    var parameters: [Source.Parameter] = []
    /// Without duplicates. Empty for the whole list.
    private(set) var ids: [String] = []
    /// Their bytes: Swift considers texts equal that differ to a service.
    private var knownIDs: Set<[UInt8]> = []
    /// `--each`: the paths to the values in the records of stdin, with their names.
    var each: [String] = []
    /// `--on-error`: what to do about a list of --each, or a record of expand, that can't be had. Nil if it isn't given.
    var failurePolicy: FailurePolicy?
    var since: SinceTime?
    var input = InputSettings(badLines: .skip)
    var limit: Int?
    /// `--page`: the number of the one page that is wanted.
    var page: Int?
    /// Records per page. Nil for the source's own size.
    var pageSize: Int?
    var readsTwice = false
    var jobs = 4
    var keyFile: String?
    var statePath: String?
    var explains = false
    var form = RecordForm()
    var leastRecords = 0
    var reportPath: String?
    var messages = MessageSettings()
    var client = HTTPClient.Options(userAgent: UserAgent.chosen)

    init() {
        client.guardsRedirects = true
        client.retry.treatsHTMLAsThrottling = true
    }

    mutating func add(id: String) {
        if knownIDs.insert(Array(id.utf8)).inserted { ids.append(id) }
    }

    var skipsFailures: Bool { failurePolicy == .skip }

    var readsStandardInput: Bool { !each.isEmpty || inputPath == "-" || learntURL == "-" }

    func check() throws(UsageError) {
        try UserAgent.check()
        if source == "-", readsStandardInput {
            throw UsageError("--source - takes the description from stdin; give one of the two as a file")
        }
        // A run that can only fail is refused before it begins.
        if let limit, limit < leastRecords {
            throw UsageError("--min-records \(leastRecords) is more than --limit \(limit); lower it")
        }
        if !ids.isEmpty, ids.count < leastRecords {
            throw UsageError(
                "--min-records \(leastRecords) is more than the number of --id, \(ids.count); lower it")
        }
    }

    func check(for source: Source) throws(UsageError) {
        if inputPath != nil {
            if source.expand.isEmpty { return }
            throw UsageError("the records of \(source.name) take further requests, and --input sends none")
        }
        guard !source.isOfNoService || baseURL != nil || isPlan else {
            throw UsageError(
                "\(source.name) describes saved responses; give one with --input, or its URL with --base-url"
            )
        }
        if !ids.isEmpty {
            if let other = parameters.first(where: { !source.placeholders.contains($0.name) }) {
                throw UsageError("--id asks for single records; leave out --param \(other.name)")
            }
            guard source.item != nil else {
                throw UsageError("\(source.name) can't fetch single records; leave out --id")
            }
            for id in ids {
                let isBroken = source.isSlashed("id") && Placeholders.hasEmptySegment(id)
                guard !isBroken, HTTPURL.dotSegments(in: id.utf8) == 0 else {
                    throw UsageError("--id \(id) isn't one record's path; \(Self.refusedSegments)")
                }
            }
        }
        if failurePolicy != nil, each.isEmpty, source.expand.isEmpty {
            throw UsageError(
                "--on-error is about the lists of --each and the steps of expand, and \(source.name) has none; leave it out"
            )
        }
        if since != nil, source.since == nil {
            throw UsageError("the description of \(source.name) doesn't support --since; leave it out")
        }
        if since != nil, limit != nil, source.since?.placement == nil {
            throw UsageError(
                "--limit beside --since keeps the newest records alone, as \(source.name) begins with them, and a later "
                    + "--since would pass over the rest; leave one of the two out")
        }
        let size = (search == nil ? source : source.searched).pagination.size
        let listed = search?.isEmpty == false ? source.searched : source
        if let page, let refusal = NumberedPage.refusal(page, of: listed) { throw UsageError(refusal) }
        if pageSize != nil, source.pagination.size == nil, size == nil {
            throw UsageError("\(source.name) has no parameter for the size of a page; leave out --page-size")
        }
        if let pageSize, let limit = size?.limit, pageSize > limit {
            throw UsageError("--page-size \(pageSize) is more than \(source.name) allows; write at most \(limit)")
        }
        for (name, isAdded) in [("page", form.addsPage), ("each", form.addsEach)] where isAdded && !form.isRaw {
            guard source.ownMembers.contains(where: { $0.name == name }) else { continue }
            throw UsageError(
                "the description of \(source.name) has a member \(name) of its own; leave out --with-\(name)")
        }
        if keyFile != nil, source.variables.isEmpty {
            throw UsageError("\(source.name) takes no key; leave out --key-file")
        }
        try checkParameters(source)
    }

    private static let refusedSegments = "., .. and empty segments can't be sent in a path"

    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts()
        try files.write("--report", reportPath)
        try files.write("--on-bad-line", input.rejectsPath)
        try files.keepStores()
        try files.write("--state", statePath)
        let sourcePath = SourceLibrary.names.contains(source) ? nil : source
        let reads = [sourcePath, keyFile, each.isEmpty ? nil : "-", inputPath]
        try files.check(reads: reads.compactMap { $0 })
    }

    /// A text that is the same for commands that fetch the same records in the same way.
    func identity(_ description: [UInt8], _ source: Source) -> String {
        let files = source.files.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let parts: [String?] =
            files + [
                description.span.text, baseURL, search, since?.text, limit.map { "\($0)" },
                pageSize.map { "\($0)" },
                "\(form.isRaw)", "\(form.addsPage)", "\(form.addsEach)",
            ] + ids + ["="] + each + ["="] + parameters.flatMap { [$0.name, $0.value] }
        var text: [UInt8] = []
        // Each part is prefixed with its length, so that different lists of parts give different texts.
        for part in parts { text += (part.map { "\($0.utf8.count):\($0)" } ?? "-").utf8 }
        return [1, 2].map { String(ByteHash(seed: $0).hash(text.span), radix: 16) }.joined(separator: "-")
    }

    private func checkParameters(_ source: Source) throws(UsageError) {
        let placeholders = source.placeholders
        let search = search == nil ? nil : source.search?.parameter
        let each = each.isEmpty ? [] : source.each.map(\.placement)
        var own = source.pagination.placements + each + (search.map { [$0] } ?? [])
        if since != nil { own += [source.since?.placement, source.since?.until].compactMap(\.self) }
        let others = parameters.filter { !placeholders.contains($0.name) }
        let numbered = source.numberedPlaceholders
        let taken = others.first { own.contains(.query($0.name)) }
        if let taken = taken ?? parameters.first(where: { numbered.contains($0.name) }) {
            throw UsageError(
                "--param \(taken.name) is set by the tool itself; use --page-size, --search, --each or --since")
        }
        let keys = source.keys.map(\.placement)
        if let shown = others.first(where: { keys.contains(.query($0.name)) }) {
            throw UsageError(
                "--param \(shown.name) would show the key to everybody; use --key-file or the environment")
        }
        let open = placeholders.filter { !each.contains(.path($0)) && !numbered.contains($0) }
        try checkPlaceholders(open, source)
    }

    private func checkPlaceholders(_ names: [String], _ source: Source) throws(UsageError) {
        for name in names where ids.isEmpty || source.isInItem(name) {
            let param = source.params.first { $0.name == name }
            guard let value = parameters.last(where: { $0.name == name })?.value ?? param?.standard else {
                let help = param?.help.map { " (\($0))" } ?? ""
                let isEach = source.each.contains { $0.placement == .path(name) }
                let option = isEach ? "--each, or with --param \(name)=VALUE" : "--param \(name)=VALUE"
                throw UsageError("\(source.name) needs a value for {\(name)}\(help); give it with \(option)")
            }
            guard source.canBeInBase(name, value, isReplaced: baseURL != nil) else {
                throw UsageError(
                    "--param \(name) is part of a host and takes letters, digits, '.' and '-', not '\(value)'")
            }
            guard !value.isEmpty || !source.isInPath(name) else {
                throw UsageError("--param \(name) is part of a path and can't be empty")
            }
            guard !source.isInPath(name) || HTTPURL.dotSegments(in: value.utf8) == 0,
                !source.isSlashed(name) || !Placeholders.hasEmptySegment(value)
            else { throw UsageError("--param \(name) is part of a path; \(Self.refusedSegments)") }
        }
    }
}

struct SinceTime {
    let text: String
    let instant: Instant

    init(_ text: String) throws(UsageError) {
        guard let instant = Instant(Array(text.utf8).span) else {
            throw UsageError(
                "--since takes a time such as 2026-03-01T10:00:00Z, 2026-03-01 or 1772355600, not '\(text)'")
        }
        self.text = text
        self.instant = instant
    }
}
