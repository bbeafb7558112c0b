// What a run has found out, in the words of a person:
//
//     records are $.data (175); the next page is the URL at $.next_page; proved: page 2 has 175 others
//     members: id at id, name at name; not found: description

import PipelineHTTP

/// The findings.
struct LearnFindings {
    private var records = ""
    /// How the list is paged, or that it isn't.
    var paging = ""
    /// How many there are, or how the list ends.
    var total = ""
    var members: [String] = []
    /// How one record is requested.
    var item = ""
    /// The common members that no record surely has.
    var missing: [String] = []
    /// What may be so and isn't proved.
    var leftOut: [String] = []

    /// Ways to the next page that lead nowhere.
    private(set) var triedInVain: [String] = []
    /// The answer names a next page, and that isn't one.
    var hasDeadEnd = false

    mutating func tried(_ text: String) { if !triedInVain.contains(text) { triedInVain.append(text) } }

    mutating func add(records description: LearntDescription, count: Int) {
        records = "records are \(description.records?.path ?? "$") (\(count))"
    }

    mutating func add(_ proof: LearnProof) {
        paging =
            "\(proof.text); proved: the second page has \(proof.others) \(proof.others == 1 ? "other" : "others")"
    }

    /// A line for each subject.
    var lines: [String] {
        let list = [records, paging, total].filter { !$0.isEmpty }.joined(separator: "; ")
        let found = members.isEmpty ? "" : "members: " + members.joined(separator: ", ")
        let missing = missing.isEmpty ? "" : "not found: " + missing.joined(separator: ", ")
        let leftOut = leftOut.map { "left out: \($0)" }
        let each = [found, missing, item].filter { !$0.isEmpty }.joined(separator: "; ")
        return [list, each].filter { !$0.isEmpty } + leftOut
    }
}
