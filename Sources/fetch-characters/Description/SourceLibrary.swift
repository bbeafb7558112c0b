// The descriptions that are found by name: the built-in ones, then files NAME.json of the user's and of the system's.
//
//     $XDG_DATA_HOME/castline/sources          the user's own
//     PREFIX/share/castline/sources            installed with the tool
//     $XDG_DATA_DIRS/castline/sources          the system's

import PipelineCore
import PipelineHTTP

enum SourceLibrary {
    /// - Throws: status 66 for a file that can't be read.
    static func description(_ name: String) throws(ToolFailure) -> DescriptionFile? {
        if let source = BuiltInSource.all.first(where: { $0.name == name }) { return source.file }
        guard let path = files().first(where: { $0.name == name })?.path else { return nil }
        return try ToolFailure.of(
            .noInput, orElse: "choose another --source", DescriptionFile(path: path, isNamed: false))
    }

    static var names: [String] { BuiltInSource.all.map(\.name) + files().map(\.name) }

    /// Of two with one name the first counts.
    static func files() -> [(name: String, path: String)] {
        var files: [(name: String, path: String)] = []
        var known = Set(BuiltInSource.all.map(\.name))
        for directory in directories {
            let names = (try? Directory.names(directory)) ?? []
            for name in names.filter({ $0.hasSuffix(".json") && !$0.hasPrefix(".") }).sorted() {
                let source = String(name.dropLast(5))
                if known.insert(source).inserted { files.append((source, "\(directory)/\(name)")) }
            }
        }
        return files
    }

    /// XDG Base Directory Specification: empty variables and relative paths don't count.
    private static var directories: [String] {
        let home = Environment.path("HOME").flatMap { $0.isEmpty ? nil : $0 + "/.local/share" }
        let own = Environment.path("XDG_DATA_HOME").flatMap { $0.isAbsolutePath ? $0 : nil } ?? home
        let system = Environment.path("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 }
        let shared = (system ?? "/usr/local/share:/usr/share").unicodeScalars.split(separator: ":").map {
            String($0)
        }
        let installed = Environment.executablePath.map { path in
            let directory = FileLocation.split(path).prefix
            return FileLocation.split(directory.hasSuffix("/") ? String(directory.dropLast()) : directory).prefix
                + "share"
        }
        return ([own, installed].compactMap { $0 } + shared).filter(\.isAbsolutePath)
            .map { $0 + "/castline/sources" }
    }

    /// - Throws: status 64 for an unknown name, 66 for a file that can't be read.
    static func named(_ name: String) throws(ToolFailure) -> DescriptionFile {
        if let file = try description(name) { return file }
        guard !name.contains("://") else {
            throw ToolFailure(
                .usage,
                "--source takes a name or a file; work out the API's description first: "
                    + "fetch-characters --learn \(ShellWord.quoted(name)) > api.json")
        }
        do throws(SystemError) { return try DescriptionFile(path: name, isNamed: true) } catch {
            // A path has a slash or a suffix. Without either it is a misspelt name.
            if !name.contains(where: { $0 == "/" || $0 == "." }) {
                guard FileLocation.status(ofPath: name + ".json")?.isRegular == true else { throw unknown(name) }
                throw ToolFailure(
                    .usage,
                    "the source '\(name)' is not known, but \(name).json is a file; use --source \(name).json")
            }
            throw ToolFailure(
                .noInput, error.advice(orElse: "--source takes a file or a name of --list-sources"))
        }
    }

    /// - Throws: status 65 for one with mistakes, all but the last of which have been reported.
    static func source(
        _ description: DescriptionFile, _ name: String, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> Source {
        let name = name == "-" ? "<stdin>" : name
        do throws(DescriptionError) { return try description.source() } catch {
            switch error {
            case .syntax where description.bytes.isEmpty: throw ToolFailure(.badData, "\(name) is empty")
            case .syntax(let error, let line, let column):
                let text: Message =
                    error.reason == .expectedEnd
                    ? "expected the end of the file after the description; for a file of records write --source lines --input FILE"
                    : "\(error)"
                throw ToolFailure(.badData, "\(name):\(line):\(column): \(text)")
            case .mistakes(let mistakes):
                for mistake in mistakes.dropLast() { diagnostics.error("\(name): \(mistake)") }
                let last = mistakes.last ?? "it isn't a source description"
                let cure = last.contains("; ") ? nil : "see man castline-source"
                throw ToolFailure(.badData, Message("\(name): \(last)", cure: cure))
            }
        }
    }

    static func unknown(_ name: String) -> ToolFailure {
        let names = self.names
        let near = alike(name, names)
        let more = names.count > BuiltInSource.all.count ? "" : " (scripts/install adds more)"
        return ToolFailure(
            .usage,
            "the source '\(name)' is not known; "
                + (near.isEmpty
                    ? "--list-sources lists the known ones\(more), --learn URL describes another API"
                    : "did you mean \(near.joined(separator: " or "))?"))
    }

    /// At most three names: the nearest, and those that share a part with this one, as `ghibli` with `ghibli-films`.
    private static func alike(_ name: String, _ names: [String]) -> [String] {
        let parts = name.lowercased().split(separator: "-").map(String.init).filter { $0.count > 2 }
        let found = names.filter { candidate in
            let others = candidate.split(separator: "-").map(String.init)
            return parts.contains { part in
                others.contains { $0.hasPrefix(part) } || EditDistance.nearest(to: part, among: others) != nil
            }
        }
        guard let nearest = EditDistance.nearest(to: name, among: names) else { return Array(found.prefix(3)) }
        return [nearest] + found.filter { $0 != nearest }.prefix(2)
    }
}

/// A description before it is parsed: its bytes, and the directory of the files that it names.
struct DescriptionFile {
    private static let limitBytes = 1 << 20

    let bytes: [UInt8]
    /// Nil for one that is built in.
    let directory: String?
}

extension DescriptionFile {
    /// - Parameter isNamed: by the user, who may name a pipe too, or stdin by `-`.
    init(path: String, isNamed: Bool) throws(SystemError) {
        let file = path == "-" ? "/dev/stdin" : path
        bytes = try Descriptor.contents(of: file, limitBytes: Self.limitBytes, mayBeStream: isNamed)
        let (prefix, _) = FileLocation.split(path)
        directory = prefix.isEmpty ? "." : prefix
    }

    func source() throws(DescriptionError) -> Source {
        try Source(description: bytes.span) { name in
            directory.flatMap { try? Descriptor.contents(of: "\($0)/\(name)", limitBytes: Self.limitBytes) }
                .flatMap { String(validating: $0, as: UTF8.self) }
        }
    }
}

/// Each built-in source is a JSON file in BuiltIn, as a user would write it, and a line here.
///
/// In rijksmuseum.json, names and languages are codes of the Art & Architecture Thesaurus: 300312355 is an object's number,
/// 300417200 its primary name, 300388277 English, 300388256 Dutch, 300048722 an essay. Linked Art writes a code as an object
/// with an id or as text, a relation as an array, one of its elements, or a URL. Hence the several paths per member.
enum BuiltInSource {
    /// The default first.
    static let all = [
        ("disney", PackageResources.disney_json), ("dog-breeds", PackageResources.dog_breeds_json),
        ("cat-breeds", PackageResources.cat_breeds_json), ("cat-images", PackageResources.cat_images_json),
        ("rijksmuseum", PackageResources.rijksmuseum_json),
        ("rijksmuseum-v1", PackageResources.rijksmuseum_v1_json), ("dogs", PackageResources.dogs_json),
        ("array", PackageResources.array_json), ("lines", PackageResources.lines_json),
    ].map { (name: $0, file: DescriptionFile(bytes: $1, directory: nil)) }
}
