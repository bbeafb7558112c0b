// The files of the Unicode Character Database, where the machine has them.

import Foundation

enum UnicodeDatabase {
    static let directory = "/usr/share/unicode"

    static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(directory)/\(name)") }

    /// The fields of each line that has some, comments left out; a compressed file is unpacked by bzcat.
    static func lines(_ name: String) throws -> [[String]] {
        let text: String
        if name.hasSuffix(".bz2") {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["bzcat", "\(directory)/\(name)"]
            process.standardOutput = pipe
            try process.run()
            text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
        } else {
            text = try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
        }
        return text.split(separator: "\n").compactMap { line in
            let data = line.prefix { $0 != "#" }
            guard !data.isEmpty, !data.hasPrefix("@") else { return nil }
            return data.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The text that is written as code points in hexadecimal.
    static func text(_ field: String) -> String {
        var text = String.UnicodeScalarView()
        for code in field.split(separator: " ") {
            if let code = UInt32(code, radix: 16), let scalar = Unicode.Scalar(code) { text.append(scalar) }
        }
        return String(text)
    }
}
