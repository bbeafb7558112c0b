// The file that `--rejects` names: the lines that are not records, byte for byte.

/// Where bad lines are kept, or nowhere.
package struct Rejects: ~Copyable {
    private var output: OutputBuffer?
    private let descriptor: Descriptor?

    /// - Parameter path: a file to be made or emptied; nil keeps nothing.
    /// - Throws: status 73 where the file can't be made.
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

    /// Keeps a part of a line that is too long to be held.
    mutating func append(part: Span<UInt8>) throws(SystemError) {
        output?.append(part)
        try output?.endRecord()
    }

    mutating func endLine() throws(SystemError) {
        output?.append(0x0A)
        try output?.endRecord()
    }

    /// Writes what is left and closes the file.
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
