// The objects of a museum that there isn't: 216 of them, made of twelve ways to look at eighteen things, each by one of
// eight makers. The museum's two APIs tell the same objects in their own ways, and two other models borrow them.

/// A text in English and Dutch.
struct Bilingual: Sendable {
    let english: String
    let dutch: String

    init(_ english: String, _ dutch: String) {
        self.english = english
        self.dutch = dutch
    }
}

/// One object.
struct Artwork: Sendable {
    /// How far the way to its picture goes: from the object to what it shows, to a digital object, to a file.
    enum Picture: Sendable {
        case whole, noVisualItem, noDigitalObject, noFile
    }

    /// Its place in the collection, from 0.
    let index: Int
    /// With dots and parentheses, as real ones have them.
    let objectNumber: String
    /// Nil where it has no English title.
    let englishTitle: String?
    let dutchTitle: String
    let maker: Bilingual
    let year: Int
    let type: Bilingual
    let material: Bilingual
    let technique: Bilingual
    let description: String
    let picture: Picture
    /// The name of a file among the server's pictures.
    let pictureFile: String

    static let all: [Artwork] = (0..<(ways.count * things.count)).map { Artwork(index: $0) }

    private init(index: Int) {
        self.index = index
        let way = Self.ways[index % Self.ways.count]
        // Thirteen steps a round meet all eighteen things, each once, in every way.
        let thing = Self.things[(index / Self.ways.count + index) % Self.things.count]
        let kind = Self.kinds[index % Self.kinds.count]
        objectNumber = Self.objectNumber(index)
        englishTitle = index % 9 == 4 ? nil : way.english + " " + thing.name.english
        dutchTitle = way.dutch + " " + thing.name.dutch
        maker = Self.makers[index % Self.makers.count]
        year = 1601 + index * 7 % 380
        type = kind.type
        material = kind.material
        technique = kind.technique
        description =
            "\(way.english) \(thing.name.english), seen from the quay.\r\nIt hung in the lighthouse of Pellow."
        picture =
            switch index % 12 {
            case 5: .noVisualItem
            case 7: .noDigitalObject
            case 10: .noFile
            default: .whole
            }
        pictureFile = thing.picture
    }

    private static func objectNumber(_ index: Int) -> String {
        switch index % 3 {
        case 0: "SK-A-\(index + 1)"
        case 1: "RP-P-OB-43.\(index + 1)"
        default: "RP-T-1930-\(index + 1)(V)"
        }
    }

    private static let ways: [Bilingual] = [
        Bilingual("Study of", "Studie van"), Bilingual("Still Life with", "Stilleven met"),
        Bilingual("The Night of", "De nacht van"), Bilingual("Portrait of", "Portret van"),
        Bilingual("Procession with", "Optocht met"), Bilingual("Three Views of", "Drie gezichten op"),
        Bilingual("Letter about", "Brief over"), Bilingual("Allegory of", "Allegorie op"),
        Bilingual("The Return of", "De terugkeer van"), Bilingual("Children and", "Kinderen en"),
        Bilingual("Storm with", "Storm met"), Bilingual("Sketch for", "Schets voor"),
    ]

    private static let things: [(name: Bilingual, picture: String)] = [
        (Bilingual("a Lantern", "een lantaarn"), "lantern.gif"), (Bilingual("a Whale", "een walvis"), "whale.png"),
        (Bilingual("a Fox", "een vos"), "fox.png"), (Bilingual("an Owl", "een uil"), "owl.png"),
        (Bilingual("a Bear", "een beer"), "bear.png"), (Bilingual("a Crab", "een krab"), "crab.png"),
        (Bilingual("a Hedgehog", "een egel"), "hedgehog.png"), (Bilingual("a Snail", "een slak"), "snail.png"),
        (Bilingual("a Ghost", "een geest"), "ghost.png"), (Bilingual("the Moon", "de maan"), "moon.png"),
        (Bilingual("a Ship", "een schip"), "ship.png"), (Bilingual("a Teapot", "een theepot"), "teapot.png"),
        (Bilingual("a Mushroom", "een paddenstoel"), "mushroom.png"),
        (Bilingual("a Cactus", "een cactus"), "cactus.png"), (Bilingual("a Dragon", "een draak"), "dragon.png"),
        (Bilingual("a Fish", "een vis"), "fish.png"), (Bilingual("a Bee", "een bij"), "bee.gif"),
        (Bilingual("a Cat", "een kat"), "cat.png"),
    ]

    private static let kinds: [(type: Bilingual, material: Bilingual, technique: Bilingual)] = [
        (
            Bilingual("painting", "schilderij"), Bilingual("oil paint", "olieverf"),
            Bilingual("painting", "schilderen")
        ),
        (Bilingual("print", "prent"), Bilingual("paper", "papier"), Bilingual("etching", "etsen")),
        (Bilingual("drawing", "tekening"), Bilingual("ink", "inkt"), Bilingual("pen", "pen")),
    ]

    private static let makers: [Bilingual] = [
        Bilingual("Saskia van der Kaai", "Saskia van der Kaai"), Bilingual("Björn Åkerlund", "Björn Åkerlund"),
        Bilingual("anonymous", "anoniem"), Bilingual("Jan de Lantaarn", "Jan de Lantaarn"),
        Bilingual("Émilie Quai", "Émilie Quai"), Bilingual("Workshop of Pellow", "Atelier van Pellow"),
        Bilingual("Pieter Łaska", "Pieter Łaska"), Bilingual("A.-L. Storm", "A.-L. Storm"),
    ]

    /// The title in English, else in Dutch.
    var title: String { englishTitle ?? dutchTitle }
}
