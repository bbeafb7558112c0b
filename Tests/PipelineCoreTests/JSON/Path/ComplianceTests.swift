// The compliance test suite of the JSONPath working group, where it lies beside the checkout. It isn't part of the
// project: without it these tests are skipped.

import Foundation
import PipelineCore
import Testing

/// One case of the suite; the texts are as they stand in its file.
struct ComplianceCase: Sendable, CustomTestStringConvertible {
    let name: String
    let selector: String
    let isInvalid: Bool
    let document: [UInt8]
    /// Any of them is right: the values, and their normalized paths.
    let results: [[UInt8]]
    let resultPaths: [[UInt8]]

    var testDescription: String { name }

    static let file = URL(filePath: #filePath).appending(
        path: "../../../../../../shared/conformance/jsonpath/cts.json"
    ).standardized

    static let isAvailable = FileManager.default.fileExists(atPath: file.path)

    static let all: [ComplianceCase] = {
        do {
            let bytes = [UInt8](try Data(contentsOf: file))
            var tests = JSONPathEvaluator(try JSONPath("$.tests[*]"))
            try tests.evaluate(bytes.span)
            return try tests.nodes.map { try ComplianceCase(Array(bytes[$0.range])) }
        } catch {
            return []
        }
    }()

    init(_ test: [UInt8]) throws {
        func members(_ path: String) throws -> [[UInt8]] { try JSONProbe.values(path, in: test) }
        name = try JSONProbe.text(members("name")[0])
        selector = try JSONProbe.text(members("selector")[0])
        isInvalid = try !members("invalid_selector").isEmpty
        document = try members("document").first ?? []
        results = try members("result") + members("results[*]")
        resultPaths = try members("result_paths") + members("results_paths[*]")
    }
}

@Suite(
    "The JSONPath compliance suite",
    .enabled(if: ComplianceCase.isAvailable, "the suite is not beside the checkout"))
struct ComplianceTests {
    @Test
    func `is read`() { #expect(ComplianceCase.all.count > 700) }

    @Test(arguments: ComplianceCase.all)
    func `is passed`(_ test: ComplianceCase) throws {
        guard !test.isInvalid else {
            #expect(throws: JSONPathError.self) { try JSONPath(test.selector) }
            return
        }
        var evaluator = JSONPathEvaluator(try JSONPath(test.selector))
        for isChecked in [false, true] {
            try evaluator.evaluate(test.document.span, isChecked: isChecked)
            let found = try evaluator.nodes.map { try JSONProbe.canonical(Array(test.document[$0.range])) }
            let expected = try test.results.map { try JSONProbe.values("$[*]", in: $0).map(JSONProbe.canonical) }
            let number = try #require(expected.firstIndex(of: found), "\(found) is none of \(expected)")
            let paths = evaluator.nodes.map {
                JSONLocation.path(toPart: $0.range.lowerBound, in: test.document.span, style: .normalized)
            }
            #expect(try paths == JSONProbe.values("$[*]", in: test.resultPaths[number]).map(JSONProbe.text))
        }
    }
}
