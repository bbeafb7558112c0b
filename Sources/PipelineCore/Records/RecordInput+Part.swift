// A part of a file, as a thread of a larger run has read it: what is reported of it once its turn has come.

extension RecordInput {
    /// What a part of a file holds besides its records.
    package struct Part: Sendable {
        package internal(set) var lines = 0
        package internal(set) var bytesRead = 0
        /// The first bad lines, and how many there are.
        var badLines: [BadLine] = []
        var badLineCount = 0
        var hasRecord = false
        /// How many of the bad lines come before the first record.
        var badLinesBefore = 0
        /// The first bytes of the file, if the part begins with them.
        var head = InputHead()
        var seals = InputSeals()

        package init() {}

        mutating func add(_ line: BadLine) {
            badLineCount += 1
            if !hasRecord { badLinesBefore += 1 }
            if badLines.count < BadLineReports.mostMessages { badLines.append(line) }
        }
    }
}
