// The counts of a run, for its status, its last message and its report.

import PipelineCore
import PipelineHTTP

struct RunCounts {
    private let choice: PictureChoice
    var records = 0
    /// Of the records read.
    var pictures = 0
    private(set) var recordsWritten = 0
    private(set) var causes = FailureCauses()
    private(set) var status = ExitStatus.done
    /// The pictures of the records written, by how they were got, or why they weren't.
    private var outcomes: [String: Int] = [:]
    /// Of the records written, those that name no picture, whether they got a placeholder or not.
    private var unnamed = 0

    init(_ choice: PictureChoice) { self.choice = choice }

    mutating func count(_ fault: ImageFault, at place: FailureCauses.Place) { causes.count(fault, at: place) }

    /// A record fails, with the status of the first of its pictures that can't be had.
    mutating func fail(_ cause: ExitStatus) { status = status.combined(with: cause) }

    mutating func write(_ pictures: RecordPictures) {
        recordsWritten += 1
        if pictures.list.isEmpty {
            outcomes[ImageOutcome.Status.none.rawValue, default: 0] += 1
            unnamed += 1
        }
        for outcome in pictures.list.map(\.outcome) {
            outcomes[outcome.origin ?? outcome.status.rawValue, default: 0] += 1
            if outcome.isUnnamed { unnamed += 1 }
        }
    }

    /// Whether there were records, and none of them named a picture.
    var isNameless: Bool { unnamed > 0 && unnamed == records }

    /// As JSON. Failures count although their records were dropped.
    var images: String {
        let names = HTTPProvenance.allCases.map(\.rawValue) + [ImageOutcome.data, "placeholder", "none"]
        let counts = names.map { "\"\($0)\":\(outcomes[$0, default: 0])," }.joined()
        return "{\(counts)\"failed\":\(causes.count)}"
    }

    /// Why records have no picture; nil if each that names one has it.
    func summary(_ input: String) -> String? {
        guard let summary = causes.summary(of: choice, records: records, pictures: pictures, input: input) else {
            return nil
        }
        guard unnamed > 0 else { return summary }
        let verb = unnamed == 1 ? "names" : "name"
        switch choice {
        case .first: return summary + "; \(unnamed.grouped) more \(verb) none"
        case .all: return summary + "; \(unnamed.grouped) \(unnamed == 1 ? "record" : "records") \(verb) none"
        }
    }

    /// Pictures of earlier runs that stand in for those of hosts that failed. Nil for none.
    var staleCount: Int? { outcomes[HTTPProvenance.stale.rawValue] }

    /// For a person, as a run with placeholders ends with 0.
    var placeholderNote: String? {
        outcomes["placeholder"].map { "\($0.grouped) of \(pictures.grouped) pictures are placeholders" }
    }
}

/// Why pictures of a run can't be had, for its last message: each cause once, the most frequent first. Where a record has one
/// picture, records are counted, else pictures.
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
        /// Of the causes, in the order in which they were met.
        let number: Int
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
        var cause = causes[fault.kind] ?? Cause(fault: fault, number: causes.count, first: place)
        cause.count += 1
        if place.line < cause.first.line { cause.first = place }
        cause.isVaried = cause.isVaried || cause.fault.text != fault.text
        causes[fault.kind] = cause
    }

    /// What went wrong, each with its cure; nil if nothing did.
    package func summary(
        of choice: PictureChoice = .first, records: Int, pictures: Int = 0, input: String
    ) -> String? {
        let sorted = causes.values.sorted {
            ($1.count, $0.first.line, $0.number) < ($0.count, $1.first.line, $1.number)
        }
        guard !sorted.isEmpty else { return nil }
        let named = sorted.prefix(Self.namedCount)
        var parts = named.map { cause in
            let times = sorted.count == 1 ? "" : "\(cause.count.grouped) × "
            return "\(times)\(cause.parts.fault) (first at \(input):\(cause.first)\(cause.parts.cure))"
        }
        let rest = count - named.reduce(0) { $0 + $1.count }
        if rest > 0 { parts.append("\(rest.grouped) × other reasons") }
        let subject =
            switch choice {
            case .first: "\(Self.those(count, of: records)) no picture"
            case .all: Self.missing(count, of: pictures)
            }
        return "\(subject): " + parts.joined(separator: "; ")
    }

    private static func missing(_ count: Int, of pictures: Int) -> String {
        if pictures == 1 { return "the one picture is missing" }
        return "\(count.grouped) of \(pictures.grouped) pictures \(count == 1 ? "is" : "are") missing"
    }

    /// The subject and verb of a message about some of the records.
    static func those(_ count: Int, of records: Int) -> String {
        let verb = count == 1 ? "has" : "have"
        return records == 1 ? "the one record has" : "\(count.grouped) of \(records.grouped) records \(verb)"
    }
}
