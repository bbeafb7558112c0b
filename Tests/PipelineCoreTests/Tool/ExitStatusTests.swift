// Which status a run ends with where several things went wrong.

import PipelineCore
import Testing

@Suite struct ExitStatusTests {
    /// From the one that weighs most on.
    private static let order: [PipelineCore.ExitStatus] = [
        .inputOutput, .noInput, .badData, .usage, .cannotCreate, .software, .unavailable, .tryLater, .protocolError,
        .refused,
        .noMatch, .done,
    ]

    @Test
    func `of two statuses the graver one is the run's, in whichever order they come`() {
        #expect(Set(Self.order) == Set(PipelineCore.ExitStatus.allCases))
        for (place, graver) in Self.order.enumerated() {
            for other in Self.order[place...] {
                #expect(graver.combined(with: other) == graver)
                #expect(other.combined(with: graver) == graver)
            }
        }
    }
}
