// The descriptions that are found by name: the built-in ones, then files NAME.json of the user's and of the system's.
//
//     $XDG_DATA_HOME/castline/sources          the user's own
//     PREFIX/share/castline/sources            installed with the tool
//     $XDG_DATA_DIRS/castline/sources          the system's

import PipelineCore
import PipelineHTTP

/// The sources that have a name.
enum SourceLibrary {
    /// The description of that name, nil if there is none.
    /// - Throws: status 66 for a file that can't be read.
    static func description(_ name: String) throws(ToolFailure) -> DescriptionFile? {
        if let source = BuiltInSource.all.first(where: { $0.name == name }) { return DescriptionFile(source) }
        guard let path = files().first(where: { $0.name == name })?.path else { return nil }
        do throws(SystemError) { return try DescriptionFile(path: path, isNamed: false) } catch {
            throw ToolFailure(.noInput, error.advice(orElse: "choose another --source"))
        }
    }

    /// All names, the built-in ones first.
    static var names: [String] { BuiltInSource.all.map(\.name) + files().map(\.name) }

    /// The descriptions in the directories, by name. Of two with one name the first counts.
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
}
