// What a tool may find by a name where it expects a file or a directory of its own, and how a directory looked before.

import Foundation
import TestSupport

/// Something that isn't the tool's, and that has to be there unchanged when the run has ended.
enum Trap: CaseIterable {
    case linkToFolder, linkToFile, danglingLink, pipe, endlessDevice, socket, folder, file

    /// The user's own directory beside what the tool works in; links lead to it.
    static let precious = "precious"

    /// Makes the user's directory and whatever a link may lead to.
    static func prepare(_ folder: ScratchFolder) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(precious), withIntermediateDirectories: true)
        for name in ["castline-0123456789abcdef", "0123456789abcdef", "letter"] {
            try folder.write("mine".utf8, to: "\(precious)/\(name)")
        }
    }

    /// Sets it, in place of what has the name.
    func set(_ name: String, _ folder: ScratchFolder) throws {
        let path = folder.path(name)
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        let result: Int32
        switch self {
        case .linkToFolder: result = unsafe symlink(folder.path(Self.precious), path)
        case .linkToFile: result = unsafe symlink(folder.path("\(Self.precious)/letter"), path)
        case .danglingLink: result = unsafe symlink(folder.path("\(Self.precious)/none"), path)
        case .pipe: result = unsafe mkfifo(path, 0o600)
        case .endlessDevice: result = unsafe symlink("/dev/zero", path)
        case .socket: result = unsafe mknod(path, S_IFSOCK | 0o600, 0)
        case .folder:
            result = unsafe mkdir(path, 0o755)
            try folder.write("mine".utf8, to: "\(name)/castline-0123456789abcdef")
            try folder.write("mine".utf8, to: "\(name)/0123456789abcdef")
        case .file:
            result = 0
            try folder.write("mine".utf8, to: name)
        }
        guard result == 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EINVAL) }
    }

    /// Everything in the directory and below it: kind, mode, and content or target, by path.
    static func look(_ folder: ScratchFolder) throws -> [String: String] {
        var seen: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = folder.path(name)
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            var text = String(status.st_mode, radix: 8)
            switch status.st_mode & S_IFMT {
            case S_IFLNK: text += " " + (try FileManager.default.destinationOfSymbolicLink(atPath: path))
            case S_IFREG: text += " " + Data(try folder.bytes(name)).base64EncodedString()
            default: break
            }
            seen[name] = text
        }
        return seen
    }
}
