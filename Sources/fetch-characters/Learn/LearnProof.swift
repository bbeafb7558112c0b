// What proves how a list is paged: its first page, and one that has others.

import PipelineCore
import PipelineHTTP

/// A proof.
struct LearnProof {
    /// How a page can be requested without those before it.
    enum Jump {
        case none
        /// By the pagination's own parameter.
        case position
        /// By the number in the link to the second page.
        case link(HTTPURL, PageParameter)
    }

    /// The description with that paging.
    var description: LearntDescription
    let start: LearntPage
    let second: LearntPage
    /// How the next page is got, in words.
    let text: String
    let jump: Jump
    /// The parameters that request the next page.
    var parameters: [String] = []
    /// The position after the second page, where that leads on.
    let following: PagePosition?

    /// Records of the second page that the first doesn't have.
    var others: Int { second.keys.fresh(beside: start.keys) }
}
