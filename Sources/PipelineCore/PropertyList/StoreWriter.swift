// A store in the making: records come in as lines and go out as a property list, the array of them as its root.

/// Writes records into a file.
package struct StoreWriter: ~Copyable {
    /// Encoded records go out in blocks of this size, in bytes.
    private static let blockSize = 262_144

    package var file: AtomicFile
    private var xml: XMLWriter
    private var conversion: RecordConversion
    /// Records stored so far.
    package private(set) var records = 0

    package init(_ file: consuming AtomicFile, rules: ValueRules) {
        self.file = file
        xml = XMLWriter(replacesControls: rules.replacesControls)
        conversion = RecordConversion(rules: rules)
        xml.beginDocument()
        xml.beginArray()
    }

    /// What was stored otherwise than it was.
    package var choices: LossyChoices {
        var choices = conversion.choices
        choices.controlsReplaced = xml.controlsReplaced
        return choices
    }

    /// Adds the record that a line is. After a fault the store is as it was.
    package mutating func append(_ line: Span<UInt8>) throws(RecordFault) {
        try conversion.convert(line, into: &xml)
        records += 1
    }

    /// Writes what has gathered, if that is a block.
    package mutating func endRecord() throws(SystemError) {
        if xml.bytes.count >= Self.blockSize { try xml.drain(into: &file) }
    }

    /// Writes the end of the property list.
    package mutating func finish() throws(SystemError) {
        xml.endArray()
        xml.endDocument()
        try xml.drain(into: &file)
    }
}
