// The counts of a run, for its status, its last message and its report.

import PipelineCore
import PipelineHTTP

struct RunCounts {
    var records = 0
    /// Of the records read; a record without a URL counts as one.
    var pictures = 0
    private(set) var recordsWritten = 0
    private(set) var causes = FailureCauses()
    private(set) var status = ExitStatus.done
    /// The pictures of the records written, by how they were got, or why they weren't.
    private var outcomes: [String: Int] = [:]
    /// Of the records written, those that name no picture, whether they got a placeholder or not.
    private var unnamed = 0

    mutating func count(_ fault: ImageFault, at place: FailureCauses.Place) {
        causes.count(fault, at: place)
        status = status.combined(with: fault.exitStatus)
    }

    mutating func write(_ pictures: RecordPictures) {
        recordsWritten += 1
        for outcome in pictures.list.map(\.outcome) {
            outcomes[outcome.origin ?? outcome.status.rawValue, default: 0] += 1
            if outcome.isUnnamed { unnamed += 1 }
        }
    }

    /// Whether there were records, and none of them named a picture.
    var isNameless: Bool { unnamed > 0 && unnamed == pictures }

    /// As JSON. Failures count although their records were dropped.
    var images: String {
        let names = HTTPProvenance.allCases.map(\.rawValue) + [ImageOutcome.data, "placeholder", "none"]
        let counts = names.map { "\"\($0)\":\(outcomes[$0, default: 0])," }.joined()
        return "{\(counts)\"failed\":\(causes.count)}"
    }

    /// Why records have no picture; nil if each that names one has it.
    func summary(_ input: String) -> String? {
        let verb = unnamed == 1 ? "names" : "name"
        let others = unnamed == 0 ? "" : "; \(unnamed.grouped) more \(verb) none"
        return causes.summary(records: records, input: input).map { $0 + others }
    }

    /// Pictures of earlier runs that stand in for those of hosts that failed. Nil for none.
    var staleCount: Int? { outcomes[HTTPProvenance.stale.rawValue] }

    /// For a person, as a run with placeholders ends with 0.
    var placeholderNote: String? {
        outcomes["placeholder"].map { "\($0.grouped) of \(pictures.grouped) pictures are placeholders" }
    }
}

/// Why records of a run have no picture, for its last message: each cause once, the most frequent first.
///
///     9 of 120 records have no picture: 7 × a.example answered 404, not found (first at <stdin>:3, https://a.example/3.png;
///     check the address); 2 × not an image but JSON (first at <stdin>:8, https://b.example/8.png; check the URL)
package struct FailureCauses {
    /// Of a picture in the input.
    package struct Place: CustomStringConvertible {
        let line: Int
        let url: String?

        package init(line: Int, url: String? = nil) { (self.line, self.url) = (line, url) }

        package var description: String {
            "\(line)" + (url.map { ", \($0.prefix(FailureCauses.characterLimit))" } ?? "")
        }
    }

    /// The most causes that are told apart. Real runs have fewer; the limit is for runs that never end.
    private static let limit = 64
    private static let namedCount = 8
    /// The most characters of a cause, which may quote the data.
    private static let characterLimit = 200

    private struct Cause {
        let fault: ImageFault
        var count = 0
        var first: Place
        var isVaried = false

        var parts: (fault: Substring, cure: Substring) {
            let text = isVaried ? fault.kind : fault.text
            let end = text.firstIndex(of: ";") ?? text.endIndex
            return (text[..<end].prefix(FailureCauses.characterLimit), text[end...])
        }
    }

    package private(set) var count = 0
    private var causes: [String: Cause] = [:]

    package mutating func count(_ fault: ImageFault, at place: Place) {
        count += 1
        guard causes[fault.kind] != nil || causes.count < Self.limit else { return }
        var cause = causes[fault.kind] ?? Cause(fault: fault, first: place)
        cause.count += 1
        if place.line < cause.first.line { cause.first = place }
        cause.isVaried = cause.isVaried || cause.fault.text != fault.text
        causes[fault.kind] = cause
    }

    /// What went wrong, each with its cure; nil if nothing did.
    package func summary(records: Int, input: String) -> String? {
        let sorted = causes.values.sorted { ($1.count, $0.first.line) < ($0.count, $1.first.line) }
        guard !sorted.isEmpty else { return nil }
        let named = sorted.prefix(Self.namedCount)
        var parts = named.map { cause in
            let times = sorted.count == 1 ? "" : "\(cause.count.grouped) × "
            return "\(times)\(cause.parts.fault) (first at \(input):\(cause.first)\(cause.parts.cure))"
        }
        let rest = count - named.reduce(0) { $0 + $1.count }
        if rest > 0 { parts.append("\(rest.grouped) × other reasons") }
        return "\(Self.those(count, of: records)) no picture: " + parts.joined(separator: "; ")
    }

    /// The subject and verb of a message about some of the records.
    static func those(_ count: Int, of records: Int) -> String {
        let verb = count == 1 ? "has" : "have"
        return records == 1 ? "the one record has" : "\(count.grouped) of \(records.grouped) records \(verb)"
    }
}
