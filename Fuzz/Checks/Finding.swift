// What a check has found to be otherwise than promised.

/// A promise that an input breaks.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: a finding where the promise doesn't hold.
func demand(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(Finding) {
    guard isKept else { throw Finding(promise()) }
}
