// What the command line of filter-search asks for.

import PipelineCore

struct FilterSettings: ToolSettings, Sendable {
    /// Which records match, beside what the query is.
    struct Matching: Sendable {
        /// Those with every query, not just one.
        var requiresAll = false
        var searchesAnyField = false
        var isLoose = false
        /// Those that don't match are wanted.
        var isInverted = false
    }

    /// The texts to look for: `-e`, or the first operand.
    var queries: [String] = []
    /// The operands in order: the query, unless `-e` gives one, and the files.
    var operands: [String] = []
    /// `-f`; empty means `name`.
    var fields: [String] = []
    var strength = TextStrength.search
    var placement = TextPlacement.anywhere
    var kind = QueryKind.text
    var matching = Matching()
    var conditions: [String] = []
    var explains = false
    var color = TerminalMode.auto
    var reportPath: String?
    var isStrict = false
    var limit = Int.max
    /// `--best`; nil for all matches, in their order.
    var best: Int?
    var counts = false
    var answersByStatus = false
    var input = InputSettings(badLines: .skip)
    var messages = MessageSettings()

    /// Whether the conditions alone decide. An empty query that names no field doesn't count as a query: it is only
    /// there so that FILEs can follow.
    var hasConditionsOnly: Bool {
        guard !conditions.isEmpty else { return false }
        guard let query = queries.first ?? operands.first else { return true }
        return query.isEmpty && !kind.findsEmptyText && queries.count < 2 && fields.isEmpty
            && !matching.searchesAnyField
            && placement == .anywhere
    }

    var isQuiet: Bool { messages.isQuiet }

    var writesRecords: Bool { !counts && !isQuiet }

    /// How many of the best are written; nil if it is all, or none.
    var wantedBest: Int? { writesRecords ? best : nil }

    /// Whether each record that matches has to be looked at: what was found is to be told, shown or ranked.
    var needsEachMatch: Bool { explains || wantedBest != nil || !display.isPlain }

    var display: RecordDisplay {
        RecordDisplay(isColoured: writesRecords && color.hasColour, showsFinds: !matching.isInverted)
    }

    /// Whether parts of the input may be searched before earlier ones are: nothing depends on what was found there,
    /// and all messages can be printed later.
    var mayReadAhead: Bool {
        limit == .max && !isQuiet && !explains && input.badLines == .skip
    }

    /// How a match is found, as the option is named.
    var rule: String {
        guard kind == .text else { return kind.rawValue }
        return matching.isLoose && placement == .anywhere ? "loose" : "\(placement)"
    }

    /// The files to read; empty for stdin.
    var files: ArraySlice<String> { queries.isEmpty ? operands.dropFirst() : operands[...] }

    var readsStandardInput: Bool { files.isEmpty || files.contains("-") }

    var warning: Message? { isQuiet ? nil : lonelyFile ?? quoteWarning }

    /// - Throws: where there is a condition: a query is then easily forgotten.
    func check() throws(UsageError) {
        if !conditions.isEmpty, let lonelyFile { throw UsageError(lonelyFile) }
    }

    /// For a file in place of the query. A query that is only a word may be the name of a file by chance.
    private var lonelyFile: Message? {
        guard queries.isEmpty, operands.count == 1, let name = operands.first,
            !conditions.isEmpty || name.contains("."), Self.isFile(name)
        else { return nil }
        let file = ShellWord.quoted(name)
        var words = Environment.arguments.map(ShellWord.quoted)
        if let place = words.lastIndex(of: file) { words.insert(conditions.isEmpty ? "QUERY" : "''", at: place) }
        return "\(name) is a file, and the query comes before the file; write filter-search "
            + "\(words.joined(separator: " ")), or -e \(file) to search for that text"
    }

    /// For a condition with the quotes of SQL or jq's `'…'`, which are part of its text.
    private var quoteWarning: Message? {
        for condition in conditions {
            guard let sign = condition.lastIndex(where: { "=<>".contains($0) }) else { continue }
            let start = condition.index(after: sign)
            let value = condition[start...].drop { $0 == " " }
            guard value.count > 2, value.hasPrefix("'"), value.hasSuffix("'") else { continue }
            let plain = condition[..<start] + " " + value.dropFirst().dropLast()
            return "the quotes in \(value) are part of the text; "
                + "write --where \(ShellWord.quoted(String(plain))) to compare without them"
        }
        return nil
    }

    /// What is probably wrong where an operand names no file: it is the query, or a word of it.
    func cureOfMissing(_ path: String) -> Message? {
        if path.isEmpty { return "the name of a file is empty; check the variable that it is from" }
        let isWord = !path.contains { "/.".contains($0) }
        guard queries.isEmpty, let query = operands.first else {
            let words = ([path] + queries).map { "-e " + ShellWord.quoted($0) }.joined(separator: " ")
            return isWord ? "there is no file \(path), and with -e all operands are files; write \(words)" : nil
        }
        if Self.isFile(query) {
            let words = ([path] + operands.filter { $0 != path }).map(ShellWord.quoted).joined(separator: " ")
            return "\(query) is a file, and the query comes first; write filter-search \(words)"
        }
        guard isWord else { return nil }
        let words = operands.prefix { !Self.isFile($0) }
        guard words.contains(path) else { return nil }
        let files = operands.dropFirst(words.count).map { " " + ShellWord.quoted($0) }.joined()
        return
            "there is no file \(path); write filter-search \(ShellWord.quoted(words.joined(separator: " ")))\(files) "
            + "if it belongs to the query"
    }

    private static func isFile(_ name: String) -> Bool { FileLocation.status(ofPath: name)?.isRegular == true }

    /// Whether a query looks like a pattern, such as `mick*`, and is searched for as plain text.
    var hasPattern: Bool {
        let texts = queries.isEmpty ? Array(operands.prefix(1)) : queries
        return kind != .regex && texts.contains { $0.contains { "*^$|\\".contains($0) } }
    }

    func searchedTexts() throws(UsageError) -> [String] {
        guard queries.isEmpty else { return queries }
        guard let query = operands.first else {
            if !conditions.isEmpty { return [""] }
            throw UsageError("a query is missing; write filter-search QUERY, such as filter-search Mick")
        }
        return [try ArgumentValue.text(query, option: "QUERY")]
    }

    /// - Throws: status 64 if one file would be used for two things.
    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts(fillsOutput: writesRecords)
        try files.write("--on-bad-line", input.rejectsPath)
        try files.write("--report", reportPath)
        try files.check(reads: self.files.isEmpty ? ["-"] : self.files)
        try files.keepStores()
    }
}
