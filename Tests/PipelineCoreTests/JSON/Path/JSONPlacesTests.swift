// Places in a JSON text: a walk along any path knows whether it is at one of them.

import Testing

@testable import PipelineCore

@Suite struct JSONPlacesTests {
    private static let text = #"{"a":[1,{"b":2,"a":[3]}],"\u0062":{"a":4},"":5}"#

    /// Whether a path of names and indexes leads to a place.
    private func isPlace(_ places: JSONPlaces, _ steps: [JSONPlaces.Step]) -> Bool {
        var node: Int? = JSONPlaces.root
        for step in steps { node = node.flatMap { places.node($0, step) } }
        return node.map { places.isPlace($0) } ?? false
    }

    private func name(_ text: String) -> JSONPlaces.Step { .name(Array(text.utf8)) }

    @Test
    func `values are found by where they begin`() throws {
        let bytes = Array(Self.text.utf8)
        func offset(_ part: String) throws -> Int {
            let range = try #require(Self.text.firstRange(of: part))
            return Self.text.utf8.distance(from: Self.text.startIndex, to: range.lowerBound)
        }
        let all: [(String, [JSONPlaces.Step])] = [
            ("{", []), ("[1", [name("a")]), ("1,", [name("a"), .index(0)]),
            ("2", [name("a"), .index(1), name("b")]),
            ("3", [name("a"), .index(1), name("a"), .index(0)]), ("4", [name("b"), name("a")]), ("5", [name("")]),
        ]
        // Each subset of them.
        for chosen in 0..<(1 << all.count) {
            var places = JSONPlaces()
            let wanted = all.indices.filter { chosen >> $0 & 1 == 1 }
            try places.insert(Set(wanted.map { try offset(all[$0].0) }), in: bytes.span)
            #expect(places.isEmpty == wanted.isEmpty)
            for (index, place) in all.enumerated() {
                #expect(isPlace(places, place.1) == wanted.contains(index), "\(chosen) \(place.0)")
            }
        }
    }

    @Test
    func `steps that are inserted are found, and their beginnings aren't`() {
        var places = JSONPlaces()
        places.insert([name("a"), .index(1)])
        places.insert([name("a"), .index(1), name("b")])
        #expect(isPlace(places, [name("a"), .index(1)]) && isPlace(places, [name("a"), .index(1), name("b")]))
        #expect(!isPlace(places, []) && !isPlace(places, [name("a")]) && !isPlace(places, [name("a"), .index(0)]))
    }
}
