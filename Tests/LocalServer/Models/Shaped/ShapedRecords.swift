// Records of this project's own invention in the shape of any API: record 7 is the same in each list and each run. Or
// those of a file, each in its own bytes.

import PipelineCore

struct ShapedRecords {
    private static let first = [
        "Quiet", "Copper", "Salty", "Crooked", "Old", "Lantern", "Windy", "Amber", "Left", "Double", "Foggy", "Été",
    ]
    private static let last = [
        "Heron", "Keeper", "Barnacle", "Teapot", "Ferry", "Otter", "Bell", "Compass", "Gull", "Oar", "Cliff",
    ]
    private static let things = [
        "rope", "kettle", "anchor", "basket", "ladder", "mirror", "whistle", "candle", "barrel", "button", "pebble",
    ]

    /// Places in the list, from 1.
    let count: Int
    /// Each so manieth place is empty.
    private let everyHole: Int?
    /// Empty places in a row, so that a page of the list may have no record.
    private let holes: ClosedRange<Int>?
    private let idTemplate: ShapeTemplate
    private let newestFirst: Bool
    /// Those of the file, none where they are made up.
    private let stored: [StoredRecord]

    init(_ shape: ShapeReader, folder: String, base: String) throws(ToolFailure) {
        stored =
            if let file = try shape.text("file") {
                try StoredRecord.all(in: folder + "/" + file, base: base)
            } else {
                []
            }
        count = stored.isEmpty ? try shape.number("count") ?? 45 : stored.count
        idTemplate = try shape.template("id", .string("{n}"))
        newestFirst = try shape.flag("newestFirst")
        guard let value = shape.value("holes") else {
            everyHole = nil
            holes = nil
            return
        }
        let reader = try ShapeReader(value, "holes", known: ["every", "from", "to"])
        everyHole = try reader.number("every")
        holes = if let from = try reader.number("from"), let to = try reader.number("to") { from...to } else { nil }
    }

    /// The numbers of the places, in the list's order.
    var places: [Int] { newestFirst ? (1...count).reversed() : Array(1...count) }

    func isThere(_ number: Int) -> Bool {
        guard (1...count).contains(number), holes?.contains(number) != true else { return false }
        return everyHole.map { number % $0 != 0 } ?? true
    }

    /// The number of the record with that id.
    /// - Parameter form: how ids are written there, where it isn't as everywhere.
    func number(id: String, form: ShapeTemplate? = nil) -> Int? {
        (1...count).first { isThere($0) && self.id($0, form) == id }
    }

    func id(_ number: Int, _ form: ShapeTemplate? = nil) -> String? {
        stored.isEmpty ? (form ?? idTemplate).text(values(number)) : stored[number - 1].text("id")
    }

    /// Whether a search finds the record: a text, small, in its name, or one of the texts of another member.
    func finds(_ text: String, _ number: Int, in member: String) -> Bool {
        guard !stored.isEmpty else { return Self.name(number).lowercased().contains(text) }
        let record = stored[number - 1]
        return record.text(member)?.lowercased().contains(text) ?? record.texts(member).contains(text)
    }

    private static func name(_ number: Int) -> String {
        "\(first[number % first.count]) \(last[number % last.count])" + (number > 132 ? " the Second" : "")
    }

    /// Later for each record, a day or so apart.
    static func date(_ number: Int) -> String {
        let digits = { (value: Int) in (value < 10 ? "0" : "") + "\(value)" }
        let (year, day) = number.quotientAndRemainder(dividingBy: 336)
        return "\(2024 + year)-\(digits(day / 28 + 1))-\(digits(day % 28 + 1))T06:00:00Z"
    }

    /// What the placeholders of a record stand for.
    func values(_ number: Int) -> [String: JSONTree] {
        guard stored.isEmpty else { return ["n": .integer(number), "file": .verbatim(stored[number - 1].bytes)] }
        return [
            "n": .integer(number), "nnnn": .string(String("\(10_000 + number)".dropFirst())),
            "name": .string(Self.name(number)), "date": .string(Self.date(number)),
            "word": .string(Self.things[(number * 5 + 3) % Self.things.count]),
        ]
    }
}
