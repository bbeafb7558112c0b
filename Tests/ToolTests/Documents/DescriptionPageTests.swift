// The tables of members in castline-source(5) have what the schema of descriptions declares.

import Testing

@testable import fetch_characters

@Suite("The tables of members in castline-source(5)")
struct DescriptionPageTests {
    /// The members that rows name, `.It Li name , note`, without those that begin with a quotation mark: examples of a
    /// value.
    private static func rows() throws -> [String] {
        try Fixtures.document("man/castline-source.5").split(separator: "\n")
            .filter { $0.hasPrefix(".It Li ") && !$0.hasPrefix(".It Li \"") }
            .flatMap { $0.split(separator: " ").dropFirst(2) }.filter { $0 != "," }.map(String.init)
    }

    @Test
    func `names each member of a description once, and nothing else`() throws {
        let rows = try Self.rows()
        let paths = DescriptionPath.all
        #expect(paths.count > 60)
        #expect(Set(rows).subtracting(paths.map(\.text)).sorted() == [], "not declared")
        let left = paths.filter { !$0.isNamed(in: Set(rows)) }.map(\.text)
        #expect(Set(left).sorted() == [], "not described")
        #expect(rows.count == Set(rows).count)
    }
}

/// A declared member as the manual writes it: `pagination.size.max`.
private struct DescriptionPath {
    let text: String
    /// It has a value of its own, and not only members.
    let hasValue: Bool
    /// It stands for any name, so that the object that has it may be named in its place.
    let hasAnyName: Bool

    func isNamed(in rows: Set<String>) -> Bool {
        !hasValue || rows.contains(text) || (hasAnyName && rows.contains(String(text.dropLast(".NAME".count))))
    }

    /// Forms of an object share their paths.
    static let all = members(of: .source, in: "")

    private static func members(of object: DescriptionSchema, in prefix: String) -> [Self] {
        object.members.flatMap { paths(of: $0.value, named: $0.name, in: prefix) }
            + (object.others.map { paths(of: $0, named: "NAME", in: prefix) } ?? [])
    }

    private static func paths(of value: DescriptionSchema, named name: String, in prefix: String) -> [Self] {
        guard value.refusal == nil else { return [] }
        let path = Self(text: prefix + name, hasValue: value.isPlain, hasAnyName: name == "NAME")
        // A search has the records and pages that a list has, and a login a key like others.
        if prefix == "search." || path.text == "token.key" { return [path] }
        // The common members are alike.
        let shared = Self(
            text: prefix == "members." ? "members.NAME" : path.text, hasValue: false, hasAnyName: false)
        return [path, shared] + value.objects.flatMap { members(of: $0, in: shared.text + ".") }
    }
}

extension DescriptionSchema {
    /// The members of those objects that are values to the manual.
    private static let values = ["placement", "location", "variable", "secret-text"].map {
        definition($0).members.map(\.name)
    }

    /// The objects that it may be, but for those that are values to the manual.
    fileprivate var objects: [DescriptionSchema] {
        alternatives.flatMap { value -> [DescriptionSchema] in
            if let element = value.element { return element.objects }
            let isObject = value.types == ["object"] && !Self.values.contains(value.members.map(\.name))
            return isObject ? [value] : []
        }
    }

    /// It may be something else than such an object.
    fileprivate var isPlain: Bool {
        alternatives.contains { value in
            value.types == ["object"] || value.types == ["array"] ? value.objects.isEmpty : true
        }
    }
}
