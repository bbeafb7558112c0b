// What the command line of filter-search asks for.

import PipelineCore

/// The settings of a run.
struct FilterSettings: Sendable {
    /// The texts to look for: `-e`, or the first operand.
    var queries: [String] = []
    /// Operands in their order: the query, where `-e` gives none, and the files.
    var operands: [String] = []
    /// `--all`: each query must be found, not one of them.
    var requiresAll = false
    /// `-f`; empty stands for `name`.
    var fields: [String] = []
    /// `--any`: every string value of the record.
    var searchesAnyField = false
    /// `-s`, `--accents`: what is the same to the search.
    var strength = TextStrength.search
    /// `-p`, `-x`: where in the text the query has to be.
    var placement = TextPlacement.anywhere
    /// `-E`: the queries are regular expressions.
    var isRegex = false
    /// `-z`: the words of the queries may be near those of the text.
    var isFuzzy = false
    /// `--where`, in the order given.
    var conditions: [String] = []
    /// `--explain`.
    var explains = false
    /// `--report`.
    var reportPath: String?
    /// `--strict`: every line is checked.
    var isStrict = false
    /// `-v`.
    var isInverted = false
    /// `-m`.
    var limit = Int.max
    /// `-c`.
    var counts = false
    /// `-q`.
    var isQuiet = false
    /// `--exit-status`.
    var answersByStatus = false
    var input = InputSettings(badLines: .skip)
    /// `--progress`; `-q` silences it too.
    var messages = MessageSettings()

    /// Whether nothing is looked for, and the conditions alone decide. A query that is empty and asks nothing of a field
    /// by name is none: it only lets FILEs stand after it.
    var hasConditionsOnly: Bool {
        guard !conditions.isEmpty else { return false }
        guard let query = queries.first ?? operands.first else { return true }
        return query.isEmpty && queries.count < 2 && fields.isEmpty && !searchesAnyField && !isRegex
            && placement == .anywhere
    }

    /// Whether parts of the input may be searched before those in front of them: nothing depends on what was found there,
    /// and all that is said can be said later.
    var mayReadAhead: Bool {
        limit == .max && !isQuiet && !explains && input.rejectsPath == nil && input.badLines == .skip
    }

    /// How a match is found, in the word of the option.
    var rule: String {
        if isRegex { return "regex" }
        if isFuzzy { return "fuzzy" }
        return switch placement {
        case .anywhere: "anywhere"
        case .prefix: "prefix"
        case .word: "word"
        case .whole: "whole"
        }
    }

    /// The files to read; none stands for stdin.
    var files: ArraySlice<String> { queries.isEmpty ? operands.dropFirst() : operands[...] }

    /// What to say of a file that stands where the query does: with a condition alone it is easily forgotten that one
    /// comes first.
    var warning: String? {
        guard !isQuiet, !conditions.isEmpty, queries.isEmpty, operands.count == 1,
            FileLocation.status(ofPath: operands[0])?.isRegular == true
        else { return nil }
        let name = operands[0]
        return "'\(name)' is taken for the query, and stdin is read; write < \(name) to search that file"
    }

    /// The texts to look for, wherever they stand on the command line.
    func searchedTexts() throws(UsageError) -> [String] {
        if isFuzzy, isRegex || placement != .anywhere {
            throw UsageError("--fuzzy doesn't go with --prefix, --word, --whole or --regex; leave one of them out")
        }
        guard queries.isEmpty else { return queries }
        guard let query = operands.first else {
            if !conditions.isEmpty { return [""] }
            throw UsageError("a query is missing; write filter-search QUERY, such as filter-search Mick")
        }
        return [query]
    }
}

extension FilterSettings {
    /// - Throws: status 64 where a file would be two things at once.
    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts(fillsOutput: !counts && !isQuiet)
        files.write("--rejects", input.rejectsPath)
        files.write("--report", reportPath)
        try files.check(reads: self.files.isEmpty ? ["-"] : self.files)
    }
}
