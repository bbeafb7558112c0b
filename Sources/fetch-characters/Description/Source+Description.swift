// The nested objects of a description: expand, members.

import PipelineCore
import PipelineHTTP

extension Source.Step {
    static func all(in source: DescriptionReader) -> [Source.Step] {
        guard let value = source.value("expand") else { return [] }
        guard case .array(let elements) = value else {
            source.mistake("expand", "takes an array of steps, not \(value.kind)")
            return []
        }
        var steps: [Source.Step] = []
        for (index, element) in elements.enumerated() {
            let location = source.location(of: "expand") + "[\(index)]"
            guard let object = DescriptionReader(element, at: location, as: .step, source.mistakes) else {
                continue
            }
            let name = object.text("name", isRequired: true)
            let urls = object.places("url")
            let isRecord = object.boolean("record") ?? false
            let origins = origins(object)
            if isRecord, steps.contains(where: \.isRecord) {
                object.mistake("record", "is said of an earlier step already")
            }
            guard let name, let urls else { continue }
            if steps.contains(where: { $0.name == name }) { object.mistake("name", "is that of an earlier step") }
            steps.append(Source.Step(name: name, urls: urls, isRecord: isRecord, origins: origins))
        }
        return steps
    }

    private static func origins(_ step: DescriptionReader) -> [String] {
        guard let value = step.value("origins") else { return [] }
        guard case .array(let elements) = value else {
            step.mistake("origins", "takes an array of URLs, not \(value.kind)")
            return []
        }
        var origins: [String] = []
        for (index, element) in elements.enumerated() {
            do throws(HTTPFailure) {
                guard case .string(let text) = element else { throw HTTPFailure(.invalidRequest("")) }
                origins.append(try HTTPURL(text).origin)
            } catch {
                step.mistakes.add(step.location(of: "origins") + "[\(index)]", "takes a URL of http or https")
            }
        }
        return origins
    }
}

extension Source.CommonMember {
    /// In the order of the common names.
    static func all(in source: DescriptionReader, _ steps: [Source.Step]) -> [Source.CommonMember] {
        let names = Source.CommonName.allCases
        guard let object = source.object("members", as: .members) else { return [] }
        return names.compactMap { name in
            guard let value = object.value(name.rawValue) else { return nil }
            let location = object.location(of: name.rawValue)
            guard case .array(let elements) = value else {
                return Source.MemberLocation(value, at: location, steps, object.mistakes).map {
                    Source.CommonMember(name: name, locations: [$0], isOptional: isOptional(value))
                }
            }
            if elements.isEmpty { object.mistakes.add(location, "takes at least one path") }
            let locations = elements.enumerated().compactMap { index, element in
                Source.MemberLocation(element, at: "\(location)[\(index)]", steps, object.mistakes)
            }
            return Source.CommonMember(
                name: name, locations: locations, isOptional: elements.contains(where: isOptional))
        }
    }

    private static func isOptional(_ value: JSONTree) -> Bool { value["optional"]?.boolean ?? false }
}

extension Source.MemberLocation {
    /// `"image.url"`, or `{"step": "image", "path": "$.url"}`.
    init?(_ value: JSONTree, at location: String, _ steps: [Source.Step], _ mistakes: DescriptionErrors) {
        if case .string(let text) = value {
            guard let place = DescriptionReader.place(text, at: location, mistakes) else { return nil }
            self.init(step: nil, place: place, replacement: nil)
            return
        }
        guard case .object = value else {
            mistakes.add(location, "takes a path, an object with a path, or an array of them, not \(value.kind)")
            return nil
        }
        guard let object = DescriptionReader(value, at: location, as: .memberLocation, mistakes) else { return nil }
        let name = object.text("step")
        let step = name.flatMap { name in steps.firstIndex { $0.name == name } }
        if let name, step == nil {
            object.mistake("step", "'\(name)' isn't a step of $.expand")
        }
        let old = object.text("replace")
        let new = object.text("with", mayBeEmpty: true)
        if (old == nil) != (new == nil) { mistakes.add(location, "takes replace and with together") }
        _ = object.boolean("optional")
        guard let text = object.text("path", isRequired: true),
            let place = DescriptionReader.place(text, at: object.location(of: "path"), mistakes)
        else { return nil }
        self.init(step: step, place: place, replacement: old.flatMap { old in new.map { (old, $0) } })
    }
}
