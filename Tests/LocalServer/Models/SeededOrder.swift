// An order that looks like chance and is the same in every run: what a service calls random.

import TestSupport

extension SplitMix64 {
    /// Numbers from a seed and a text.
    init(seed: UInt64, _ text: String) { self.init(seed: seed ^ Checksum.fnv(Array(text.utf8))) }
}
