// A store in the making: records come in and go out as a property list.

/// The two forms of a property list.
package enum PropertyListFormat: String, Sendable {
    case xml
    case binary
}

/// Writes records into a file.
package struct StoreWriter: ~Copyable {
    /// Encoded records go out in blocks of this size, in bytes.
    private static let blockSize = 262_144
    /// The objects that references of three bytes can tell apart.
    private static let smallObjects = 1 << 24

    package var file: AtomicFile
    package let format: PropertyListFormat
    private let place: FilePlace?
    private var xml: XMLWriter
    private var binary: BinaryWriter
    private var conversion: RecordConversion
    /// Records stored so far.
    package private(set) var records = 0

    /// - Parameter place: where the file will be, nil for a stream.
    package init(
        _ file: consuming AtomicFile, at place: FilePlace?, format: PropertyListFormat, rules: ValueRules
    ) {
        self.file = file
        self.format = format
        self.place = place
        xml = XMLWriter(replacesControls: rules.replacesControls)
        binary = BinaryWriter(beside: place, isUsed: format == .binary)
        conversion = RecordConversion(rules: rules)
        if format == .xml {
            xml.beginDocument()
            xml.beginArray()
        } else {
            binary.beginRecords(isKeyed: false)
        }
    }

    /// What was stored otherwise than it was.
    package var choices: LossyChoices {
        var choices = conversion.choices
        choices.controlsReplaced = xml.controlsReplaced
        return choices
    }

    /// Adds the record that a line is. After a fault the store is as it was.
    package mutating func append(_ line: Span<UInt8>) throws(RecordFault) {
        if format == .xml {
            try conversion.convert(line, into: &xml)
        } else {
            try conversion.convert(line, into: &binary)
        }
        records += 1
    }

    /// Writes what has gathered, if that is a block.
    /// - Parameter nextBytes: a value of JSON has at least a byte, so the next record has fewer objects.
    package mutating func endRecord(nextBytes: Int) throws(SystemError) {
        if format == .xml {
            if xml.bytes.count >= Self.blockSize { try xml.drain(into: &file) }
            return
        }
        if binary.bytes.count >= Self.blockSize {
            try binary.drain(into: &file)
            try binary.settle()
        }
        if binary.referenceSize == 3, binary.objectCount + nextBytes > Self.smallObjects {
            try binary.resize(to: 4, &file, beside: place)
        }
    }

    /// Writes the end of the property list.
    package mutating func finish() throws(SystemError) {
        if format == .xml {
            xml.endArray()
            xml.endDocument()
            try xml.drain(into: &file)
        } else {
            try binary.endRecords(into: &file)
            try binary.endDocument(into: &file, beside: place)
        }
    }
}
