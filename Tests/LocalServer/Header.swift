// A header field of a request or an answer. Values are bytes: old servers send Latin-1.

/// One header line.
struct Header: Sendable {
    let name: String
    var value: [UInt8]

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = Array(value.utf8)
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        value = bytes
    }
}
