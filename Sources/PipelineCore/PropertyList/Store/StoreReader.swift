// Reads a stored property list of either format and any root, part by part.

/// How a store holds its records.
package struct StoreLayout: Equatable, Sendable {
    /// `--root`: they are in this member of a dictionary.
    package var root: String?
    /// `--keyed`: they are a dictionary by key instead of an array.
    package var isKeyed = false

    package init() {}
}

extension PropertyListFormat {
    /// The format of a stored file.
    package static func of(_ file: Descriptor) throws(StoreReadError) -> PropertyListFormat {
        try StoreReader.opened(file).format
    }
}

/// An open store, XML or binary.
struct StoreReader: ElementReader, ~Copyable {
    let format: PropertyListFormat
    private var xml: XMLReader
    private var binary: BinaryReader

    /// - Parameter file: must allow reads at any offset.
    static func opened(_ file: Descriptor) throws(StoreReadError) -> StoreReader {
        var head = [UInt8](repeating: 0, count: 8)
        let size: Int
        do throws(SystemError) {
            _ = try file.read(into: &head, at: 0)
            size = try file.status().bytes
        } catch {
            throw .system(error)
        }
        guard head.starts(with: Array("bplist0".utf8)) else {
            return StoreReader(.xml, XMLReader(file), BinaryReader.unused(file))
        }
        return StoreReader(.binary, XMLReader(file), try BinaryReader.opened(file, size: size))
    }

    private init(_ format: PropertyListFormat, _ xml: consuming XMLReader, _ binary: consuming BinaryReader) {
        self.format = format
        self.xml = xml
        self.binary = binary
    }

    mutating func next() throws(StoreReadError) -> StoredElement? {
        format == .xml ? try xml.next() : try binary.next()
    }

    /// The text of the key or string, or the content of the data, that was read last.
    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { format == .xml ? xml.text : binary.text }
    }

    /// Copies a value whose first part was just read. A few bytes of binary can become a value of any size.
    /// - Parameters:
    ///   - levels: the maximum depth of containers in the value.
    ///   - limitBytes: what the sink may hold; it may be exceeded by one text.
    mutating func copy<Sink: HeldSink & ~Copyable>(
        _ first: StoredElement, to sink: inout Sink, levels: Int, limitBytes: Int
    ) throws(CopyError) {
        var depth = 0
        var element = first
        while true {
            depth += element.depthChange
            guard depth <= levels else { throw .value(.tooDeep) }
            do throws(PropertyListError.Reason) {
                // Without a text the reader still has that of an earlier part, which its window may have left.
                if element.hasText { try sink.put(element, text) } else { try sink.put(element, Span()) }
            } catch {
                throw .value(error)
            }
            guard sink.bytesHeld <= limitBytes else { throw .value(.tooLarge) }
            if depth == 0 { return }
            do throws(StoreReadError) {
                guard let next = try next() else { return }
                element = next
            } catch {
                throw .read(error)
            }
        }
    }

    /// Why a value couldn't be copied: it can't be read, or the sink can't take it.
    enum CopyError: Error {
        case read(StoreReadError)
        case value(PropertyListError.Reason)
    }

    /// Skips a value whose first part was just read.
    mutating func skip(_ first: StoredElement) throws(StoreReadError) {
        var depth = first.depthChange
        while depth > 0, let next = try next() { depth += next.depthChange }
    }
}
