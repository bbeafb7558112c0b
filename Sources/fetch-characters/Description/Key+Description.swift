// The keys of a description: one object or a list of them.
//
//     "key": {"header": "x-api-key", "env": "CAT_API_KEY"}
//     "key": [{"basic": true, "env": "X_LOGIN"}, {"query": "app", "env": "X_APP"}]

import PipelineCore
import PipelineHTTP

extension Source.Key {
    /// All keys of a source.
    static func all(in source: DescriptionReader) -> [Source.Key] {
        guard let value = source.value("key") else { return [] }
        let location = source.location(of: "key")
        guard case .array(let elements) = value else {
            return [Self(value, at: location, source.mistakes)].compactMap(\.self)
        }
        if elements.isEmpty { source.mistake("key", "takes at least one key") }
        return elements.enumerated().compactMap { Self($1, at: "\(location)[\($0)]", source.mistakes) }
    }

    /// A token needs a key that says where it goes, and a key without a variable needs a token.
    static func check(_ keys: [Source.Key], _ source: DescriptionReader) {
        let tokens = keys.filter { $0.value == .token }
        if source.value("token") == nil {
            for key in tokens { source.mistakes.add(key.location + ".env", "is missing") }
        } else if tokens.isEmpty {
            source.mistake("token", "goes nowhere; add a key without env that says where it goes")
        }
    }

    private init?(_ value: JSONTree, at location: String, _ mistakes: DescriptionErrors) {
        guard let object = DescriptionReader(value, at: location, as: .key, mistakes) else { return nil }
        self.location = location
        isRequired = object.boolean("required") ?? false
        let isBasic = object.boolean("basic") ?? false
        let variable = EnvironmentName.read("env", in: object, isRequired: isBasic)
        if isBasic {
            Self.refuseBesideBasic(object)
            guard let variable else { return nil }
            self.value = .login(variable)
            placement = .header("Authorization")
            prefix = "Basic "
            return
        }
        prefix = object.text("prefix") ?? ""
        self.value = variable.map { .variable($0) } ?? .token
        guard let placement = Placement(of: object), variable != nil || object.value("env") == nil else {
            return nil
        }
        self.placement = placement
        check(object)
    }

    /// The header says it all.
    private static func refuseBesideBasic(_ object: DescriptionReader) {
        for name in Placement.members + ["prefix"] where object.value(name) != nil {
            object.mistake(name, "is said by basic already; leave it out")
        }
    }

    private func check(_ object: DescriptionReader) {
        switch placement {
        case .header(let name):
            if HTTPHeaders.isOne(name, of: Source.framing) {
                object.mistake("header", "names a header that is said by the client itself")
            }
            if !Source.canBeSent(Source.Parameter(name, prefix)) {
                object.mistake("prefix", "can't be sent in a header")
            }
        // A URL is shown in messages and kept in files.
        case .path: object.mistake("path", "would show the key to everybody; it can be in header, query or body")
        case .query, .body, .form: break
        }
    }

    /// The member that says where it goes.
    var placementLocation: String {
        let member =
            switch placement {
            case .header: if case .login = value { "basic" } else { "header" }
            case .query: "query"
            case .path: "path"
            case .body: "body"
            case .form: "form"
            }
        return "\(location).\(member)"
    }
}

/// The names of environment variables in a description.
enum EnvironmentName {
    static func read(_ name: String, in object: DescriptionReader, isRequired: Bool) -> String? {
        guard let variable = object.text(name, isRequired: isRequired) else { return nil }
        let isWord = variable.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x5F
        }
        guard isWord, let first = variable.utf8.first, !(0x30...0x39).contains(first) else {
            object.mistake(name, "'\(variable)' isn't the name of an environment variable")
            return nil
        }
        return variable
    }
}
