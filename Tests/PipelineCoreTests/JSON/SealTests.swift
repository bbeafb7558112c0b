// The mark at the end of an input, and what is none.

import PipelineCore
import Testing

@Suite struct SealTests {
    @Test(arguments: [
        (#"{"$seal":{"records":3,"complete":true}}"#, true), (#"{"$seal":{"complete":false}}"#, false),
        (#" {"\u0024seal" : {"c\u006fmplete" : true} } "#, true), (#"{"$seal":{"complete":1}}"#, false),
        (#"{"$seal":{"complete":true,"complete":false}}"#, false),
        (#"{"$seal":{"complete":false,"complete":true}}"#, true), (#"{"$seal":{}}"#, false),
        (#"{"$seal":{"a":{"complete":true}}}"#, false), (#"{"$seal":[{"complete":true}]}"#, false),
        (#"{"$seal":true}"#, false),
    ])
    func `says that all has come, by its last member complete`(_ line: String, isComplete: Bool) {
        var seal = HeldSeal()
        let isTaken = seal.take(Array(line.utf8).span)
        #expect(isTaken && seal.isComplete == isComplete)
        #expect(seal.line == Array((line + "\n").utf8))
    }

    @Test(arguments: [
        "", "{}", #"{"$seal":{"complete":true},"a":1}"#, #"{"a":1,"$seal":{"complete":true}}"#,
        #"{"$sea":{"complete":true}}"#, #"{"$seal":{"complete":true}"#, #"[{"$seal":{"complete":true}}]"#,
        #"{"$seal":{"complete":true}} x"#,
    ])
    func `is a record of one member by that name`(_ line: String) {
        var seal = HeldSeal()
        _ = seal.take(Array(#"{"$seal":{"complete":true}}"#.utf8).span)
        let isTaken = seal.take(Array(line.utf8).span)
        #expect(!isTaken && seal.isEmpty && !seal.isComplete)
    }
}
