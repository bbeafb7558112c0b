// What can be said of a store without reading all of it.

import PipelineCore

struct StoreInspection {
    /// The bytes at the end of a file that have the end of its format.
    private static let tailBytes = 4096
    private static let damaged = Fault.text("is damaged or cut off")

    private enum Fault {
        /// As it reads after the file's name.
        case text(String)
        /// Its first line.
        case line(StoreFailure)
    }

    /// Whether something would be lost with it: records, or what can't be read.
    private(set) var isFilled = false
    /// Nil if it isn't there, is empty or can't be read.
    private(set) var format: StoreFormat?
    private(set) var isDictionary = false
    /// Why it can't be read; nil if no reason is known.
    private var fault: Fault?
    private var isDenied = false

    /// - Throws: `system` only.
    init(_ location: FileLocation?) throws(StoreFailure) {
        let found: Descriptor?
        do throws(SystemError) { found = try location?.reading() } catch {
            guard error.isDenied else { throw .system(error) }
            (isFilled, isDenied, fault) = (true, true, .text("may not be read"))
            return
        }
        guard let file = found else { return }
        defer { file.closeUnchecked() }
        let size = try StoreFailure.of(file.status().bytes)
        guard size > 0 else { return }
        do throws(StoreFailure) { try readStart(of: file) } catch {
            (isFilled, format) = (true, nil)
            switch error {
            case .system: throw error
            case .badLine: fault = .line(error)
            case .unfit(let what, _):
                fault = .text("can't be read: " + what.description.replacing(";", with: ","))
            default:
                let isCut = try StoreFormat.of(file)?.isText == false && size > Self.tailBytes
                let wanted = StoreFormat.named(by: file.name) ?? .default
                fault = isCut ? Self.damaged : .text("isn't a \(wanted.noun)")
            }
        }
        guard let end = format?.end, isFilled, fault == nil else { return }
        let tail = try StoreFailure.of(file.bytes(Self.tailBytes, at: max(size - Self.tailBytes, 0)))
        let hasEnd = tail.reversed().drop(while: \.isJSONSpace).starts(with: end.utf8.reversed())
        if !hasEnd, try !Self.isReadable(file) { fault = Self.damaged }
    }

    /// Why a file isn't a store of this layout, and what to do other than to replace it; nil if it is one.
    func fault(of path: String, in layout: StoreLayout) -> (what: Message, cure: String)? {
        switch fault {
        case .text(let text)?: return ("\(path) \(text)", isDenied ? "run it as its owner, or " : "")
        case .line(let failure)?: return (ToolFailure.fault(failure, path), "")
        case nil: break
        }
        let needsDictionary = layout.isKeyed || layout.root != nil
        guard isFilled, isDictionary != needsDictionary else { return nil }
        return needsDictionary
            ? ("\(path) is an array", "leave out \(layout.root == nil ? "--keyed" : "--root") to keep it so, ")
            : ("\(path) is a dictionary, not an array of records", "--root or --keyed says where they are, ")
    }

    private mutating func readStart(of file: Descriptor) throws(StoreFailure) {
        var reader = try StoreFormat.decoder(of: file)
        let root = try reader.next()
        format = reader.format
        isDictionary = root == .beginDictionary
        let first = isDictionary || root == .beginArray ? try reader.next() : nil
        // An array of anything else is not one of records.
        let holdsRecords = isDictionary || first == .endArray || first == .beginDictionary || first == .line
        isFilled = first != .endArray && first != .endDictionary
        if !holdsRecords { fault = .text("is a \(reader.format.noun) without records") }
    }

    /// Whether the first line of a file is a record, however the file looks.
    static func holdsLines(_ file: Descriptor) -> Bool {
        do throws(StoreFailure) {
            var reader = try StoreFormat.decoder(of: file)
            _ = try reader.next()
            return try reader.next() == .line
        } catch {
            return false
        }
    }

    /// Whether all of a list can be read: after its end a comment may stand.
    private static func isReadable(_ file: Descriptor) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            var reader = try StoreFormat.decoder(of: file)
            while try reader.next() != nil {}
            return true
        } catch {
            if case .system = error { throw error }
            return false
        }
    }
}
