// What castline-source.schema.json declares, the tool accepts as any validator of JSON Schema does, and its reader knows.

import Foundation
import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("The format of descriptions")
struct DescriptionFormatTests {
    private static let documentation =
        URL(fileURLWithPath: #filePath).pathComponents.dropLast(4)
        .joined(separator: "/") + "/Documentation/"

    private static func tree(_ text: some Sequence<UInt8>) throws -> JSONTree {
        let bytes = Array(text)
        return try JSONTree.read(bytes.span)
    }

    private static func file(_ path: String) throws -> JSONTree {
        try tree(Data(contentsOf: URL(fileURLWithPath: documentation + path)))
    }

    private static func schema() throws -> SchemaValidator {
        SchemaValidator(try file("castline-source.schema.json"))
    }

    private func mistakes(_ description: JSONTree) -> [String] { Source.mistakes(description.json) }

    // MARK: Every declared member

    @Test func `has a schema that accepts each member`() throws {
        let schema = try Self.schema()
        let members = DeclaredMember.all().filter(\.isPossible)
        #expect(members.count > 150)
        for member in members { #expect(try schema.accepts(member.sample), "\(member.location)") }
    }

    /// What is missing in them is needed only because of another member.
    private static let neededByOthers = [
        "$.baseURL", "$.key.env", "$.key[0].env", "$.token.id", "$.token.key.env", "$.token.key[0].env",
    ].map { $0 + ": is missing" }

    @Test func `requires no more members than are declared so`() {
        for member in DeclaredMember.all().filter(\.isPossible) {
            let missing = mistakes(member.sample).filter { $0.hasSuffix(": is missing") }
            #expect(Set(missing).subtracting(Self.neededByOthers) == [], "\(member.location)")
        }
    }

    @Test func `requires those that are`() throws {
        let schema = try Self.schema()
        for member in DeclaredMember.all() where member.isRequired {
            let found = Set(mistakes(member.described(as: nil))).subtracting(mistakes(member.sample))
            // Without it the object may be of another form, which lacks something else.
            let isFound = found.contains {
                $0.hasPrefix(member.location + ": is missing") || $0.hasPrefix(member.objectLocation + ":")
                    || $0 == "$.token.token: is missing"
            }
            #expect(isFound, "\(member.location): \(found)")
            #expect(try !schema.accepts(member.described(as: nil)), "\(member.location)")
        }
    }

    @Test func `has a mistake for each value of a wrong kind`() throws {
        let schema = try Self.schema()
        for member in DeclaredMember.all() {
            for value in member.value.wrongValues {
                let found = mistakes(member.described(as: value))
                let isFound = found.contains {
                    $0.hasPrefix(member.location + ": ") || $0.hasPrefix(member.location + "[0]: ")
                }
                #expect(isFound, "\(member.location), \(value.json): \(found)")
                #expect(try !schema.accepts(member.described(as: value)), "\(member.location), \(value.json)")
            }
        }
    }

    @Test func `has a mistake for each word that isn't known`() throws {
        let schema = try Self.schema()
        var count = 0
        for member in DeclaredMember.all() {
            guard !member.value.words.isEmpty else { continue }
            count += 1
            let description = member.described(as: .string("?"))
            let mistake = "\(member.location): '?' is not known; use "
            #expect(mistakes(description).contains { $0.hasPrefix(mistake) }, "\(member.location)")
            #expect(try !schema.accepts(description), "\(member.location)")
        }
        #expect(count > 10)
    }

    @Test func `has a mistake for each member that isn't declared`() throws {
        let schema = try Self.schema()
        for member in DeclaredMember.all().filter(\.isPossible) where member.object.others == nil {
            let mistake = member.objectLocation + ".unknown: is not known"
            let found = mistakes(member.withUnknown)
            #expect(found.contains { $0.hasPrefix(mistake) }, "\(member.location): \(found)")
            #expect(try !schema.accepts(member.withUnknown), "\(member.location)")
        }
    }

    @Test func `says something of each member`() throws {
        let root = try Self.file("castline-source.schema.json")
        let definitions = root["$defs"]?.members ?? []
        let properties = (definitions + [("$", root)]).flatMap { name, object in
            (object["properties"]?.members ?? []).map { (name: "\(name).\($0.name)", value: $0.value) }
        }
        #expect(properties.count > 100)
        for property in properties {
            let definition = property.value["$ref"]?.string.map { String($0.dropFirst("#/$defs/".count)) }
            let named = definitions.first { $0.name == definition }?.value
            let help = (property.value["description"] ?? named?["description"])?.string ?? ""
            #expect(help.hasSuffix(".") && help.first?.isUppercase == true, "\(property.name): \(help)")
        }
    }

    @Test func `has formats that the tool knows`() {
        for member in DeclaredMember.all() {
            for value in member.value.alternatives where value.node["format"] != nil {
                #expect(value.format != nil, "\(member.location)")
            }
        }
    }

    private static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> [String]
    where Word.RawValue == String {
        Word.allCases.map(\.rawValue)
    }

    @Test(arguments: [
        ("$.method", ["GET", "POST"]), ("$.format", words(Source.Records.Format.self)),
        ("$.search.escape", ["none", "regex"]), ("$.since.format", words(TimeFormat.Word.self)),
        ("$.pagination.type", words(Pagination.Word.self)), ("$.pagination.end", words(Pagination.End.self)),
        ("$.token.grant", ["client-credentials", "refresh-token"]),
        ("$.token.client", ["basic", "body"]),
    ])
    func `has the words that the reader knows`(location: String, words: [String]) {
        let members = DeclaredMember.all().filter { $0.location == location }
        let values = members.flatMap(\.value.alternatives).flatMap { $0.element?.alternatives ?? [$0] }
        #expect(Set(values.flatMap(\.words)) == Set(words))
    }

    @Test func `has the common members in their order`() {
        let members = DescriptionSchema.definition("members").members
        #expect(members.map(\.name) == Self.words(Source.CommonName.self))
    }

    // MARK: Descriptions

    @Test func `is that of every description there is`() throws {
        let schema = try Self.schema()
        for source in BuiltInSource.all {
            #expect(try schema.accepts(Self.tree(source.file.bytes)), "\(source.name)")
        }
        let shipped = try FileManager.default.contentsOfDirectory(atPath: Self.documentation + "sources")
        for name in shipped where name.hasSuffix(".json") {
            #expect(try schema.accepts(Self.file("sources/" + name)), "\(name)")
        }
    }

    private static func description(_ members: String) -> String {
        #"{"name":"x","baseURL":"http://h",\#(members)}"#
    }

    @Test(arguments: [
        #""format":"lines","pagination":{"type":"none"}"#,
        #""records":{"path":"$.c","key":"id"},"pagination":{"type":"none"},"absent":[404]"#,
        #""records":"$","pagination":{"type":"cursor","next":{"values":[{"parameter":{"header":"A"},"next":"$.a"}]},"end":["same-cursor"]}"#,
        #""records":"$","pagination":{"type":"next-url","next":{"header":"X"},"end":["not-found"],"last":9}"#,
        #""records":"$","pagination":{"type":"none"},"each":{"a":"b","c":{"query":"d"}},"query":{"a":1,"b":true}"#,
        #""records":"$","pagination":{"type":"none"},"since":{"newestFirst":true,"member":"u"},"params":{"a":{}}"#,
        #""records":"$","pagination":{"type":"none"},"key":[{"header":"a","env":"K"},{"basic":true,"env":"L"}]"#,
        #""records":"$","pagination":{"type":"none"},"method":"POST","body":[1.5,{"a":null}]"#,
        #""records":"$","pagination":{"type":"none"},"members":{"id":["a",{"path":"b","optional":true}]}"#,
    ])
    func `accepts what the reader accepts`(members: String) throws {
        let tree = try Self.tree(Self.description(members).utf8)
        #expect(mistakes(tree) == [])
        #expect(try Self.schema().accepts(tree))
    }

    @Test(arguments: [
        (#""pagination":{"type":"none"}"#, "$.records: "),
        (#""format":"json","pagination":{"type":"none"}"#, "$.records: "),
        (#""records":["$"],"pagination":{"type":"none"}"#, "$.records: "),
        (#""records":"","pagination":{"type":"none"}"#, "$.records: "),
        (#""records":"$","pagination":{"type":"none","first":1}"#, "$.pagination.first: "),
        (#""records":"$","pagination":{"type":"page","parameter":"p","first":-1}"#, "$.pagination.first: "),
        (#""records":"$","pagination":{"type":"page","parameter":"p","last":0}"#, "$.pagination.last: "),
        (#""records":"$","pagination":{"type":"page","parameter":"p","end":[]}"#, "$.pagination.end: "),
        (
            #""records":"$","pagination":{"type":"page","parameter":"p","end":["same-cursor"]}"#,
            "$.pagination.end[0]: "
        ),
        (#""records":"$","pagination":{"type":"page","parameter":{}}"#, "$.pagination.parameter: "),
        (#""records":"$","pagination":{"type":"link-header","total":{}}"#, "$.pagination.total: "),
        (
            #""records":"$","pagination":{"type":"cursor","parameter":"p","next":{"values":{"a":"b"}}}"#,
            "$.pagination.parameter: "
        ),
        (#""records":"$","pagination":{"type":"cursor","next":{"values":{}}}"#, "$.pagination.next.values: "),
        (#""records":"$","pagination":{"type":"none"},"absent":[200]"#, "$.absent[0]: "),
        (#""records":"$","pagination":{"type":"none"},"headers":{"a":1.5}"#, "$.headers.a: "),
        (#""records":"$","pagination":{"type":"none"},"key":[]"#, "$.key: "),
        (#""records":"$","pagination":{"type":"none"},"each":{}"#, "$.each.parameter: "),
        (#""records":"$","pagination":{"type":"none"},"each":{"parameter":"a","b":"c"}"#, "$.each.b: "),
        (#""records":"$","pagination":{"type":"none"},"since":{"member":"u"}"#, "$.since.parameter: "),
        (
            #""records":"$","pagination":{"type":"none"},"since":{"newestFirst":false,"member":"u"}"#,
            "$.since.parameter: "
        ),
        (
            #""records":"$","pagination":{"type":"offset","parameter":{"cookie":"p"}}"#,
            "$.pagination.parameter.cookie: "
        ),
        (#""records":"$","pagination":{"type":"none"},"members":{"id":[7]}"#, "$.members.id[0]: "),
        (#""records":"$","pagination":{"type":"none"},"key":{"path":"k","env":"K"}"#, "$.key.path: "),
    ])
    func `refuses what the reader refuses`(members: String, mistake: String) throws {
        let tree = try Self.tree(Self.description(members).utf8)
        let found = mistakes(tree)
        #expect(found.contains { $0.hasPrefix(mistake) }, "\(found)")
        #expect(try !Self.schema().accepts(tree))
    }
}
