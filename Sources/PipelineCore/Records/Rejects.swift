// The file named by `--rejects`: the lines that aren't records, byte for byte.

/// Keeps bad lines, or drops them.
package struct Rejects: ~Copyable {
    private var output: OutputBuffer?
    private let descriptor: Descriptor?

    /// - Parameter path: the file to create or empty; nil to keep nothing.
    /// - Throws: status 73 if the file can't be created.
    package init(_ path: String?) throws(ToolFailure) {
        guard let path else {
            output = nil
            descriptor = nil
            return
        }
        do throws(SystemError) {
            let descriptor = try Descriptor.writing(path)
            output = OutputBuffer(descriptor)
            self.descriptor = descriptor
        } catch {
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another file for --rejects"))
        }
    }

    /// Keeps a line.
    package mutating func append(line: Span<UInt8>) throws(SystemError) {
        output?.append(line)
        try endLine()
    }

    /// Keeps part of a line that is too long for memory.
    mutating func append(part: Span<UInt8>) throws(SystemError) {
        output?.append(part)
        try output?.endRecord()
    }

    mutating func endLine() throws(SystemError) {
        output?.append(0x0A)
        try output?.endRecord()
    }

    /// Writes the buffered lines and closes the file.
    package mutating func close() throws(ToolFailure) {
        do throws(SystemError) {
            try output?.flush()
            output = nil
            try descriptor?.close()
        } catch {
            throw ToolFailure(error)
        }
    }
}
