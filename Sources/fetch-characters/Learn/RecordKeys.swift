// What tells records apart while a list is being learnt: their ids where they have some, else all of their text.

import PipelineCore
import PipelineHTTP

/// The keys of a page's records, and how they compare with those of another page.
struct RecordKeys: Equatable, Sendable {
    private let keys: [Int]

    private init(keys: [Int]) { self.keys = keys }

    /// - Parameters:
    ///   - text: that the records are in.
    ///   - id: the path to their ids, nil if there is none.
    init(_ records: RecordOutline.Records, in text: Span<UInt8>, id: [JSONLocation.PathStep]?) {
        var keys: [Int] = []
        for record in records {
            let bytes = text.extracting(record.range)
            keys.append(id.flatMap { Self.text(at: $0, in: bytes)?.hashValue } ?? bytes.text.hashValue)
        }
        self.keys = keys
    }

    var count: Int { keys.count }

    var isEmpty: Bool { keys.isEmpty }

    /// How many of them differ.
    var distinct: Int { Set(keys).count }

    /// How many of them another page doesn't have.
    func fresh(beside other: RecordKeys) -> Int {
        let known = Set(other.keys)
        return Set(keys).count { !known.contains($0) }
    }

    /// How many of the other page's last records are the first of this one, in the same order.
    /// - Parameter most: that are looked for.
    func overlap(after other: RecordKeys, most: Int) -> Int {
        let most = min(most, keys.count, other.keys.count)
        guard most > 0 else { return 0 }
        return (1...most).reversed().first { other.keys.suffix($0) == keys.prefix($0) } ?? 0
    }

    /// The records of both.
    func joined(with other: RecordKeys) -> RecordKeys { RecordKeys(keys: keys + other.keys) }

    /// A scalar of a record as text, nil if there is none.
    static func text(at path: [JSONLocation.PathStep], in record: Span<UInt8>) -> String? {
        do throws(JSONError) {
            var value: AnswerValue? = try AnswerValue.read(record)
            for step in path {
                switch (step, value) {
                case (.name(let name), _): value = value?[name]
                case (.index(let index), .array(let elements, _, _)?):
                    value = elements.indices.contains(index) ? elements[index] : nil
                case (.index, _): return nil
                }
            }
            switch value {
            case .text(let text)?, .number(let text)?: return text
            case .object, .array, .boolean, .null, nil: return nil
            }
        } catch {
            return nil
        }
    }
}
