// Where the built executables are.

import Foundation

/// The directory that the tests take the tools from.
enum Executables {
    /// `CASTLINE_BIN` where it is set, as for a release build; else where the tests themselves were built.
    static let folder: String = {
        if let given = ProcessInfo.processInfo.environment["CASTLINE_BIN"], !given.isEmpty {
            return URL(fileURLWithPath: given).standardizedFileURL.path
        }
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let test = bundle ?? Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return test.deletingLastPathComponent().standardizedFileURL.path
    }()

    /// Whether `CASTLINE_BIN` says where they are.
    static let areGiven = ProcessInfo.processInfo.environment["CASTLINE_BIN"].map { !$0.isEmpty } ?? false

    /// Whether what is generated, packaged and drawn is tested too, as `scripts/test --packages` does.
    static let testsPackages = ProcessInfo.processInfo.environment["CASTLINE_PACKAGES"] != nil

    /// The path of the executable of that name; a name with a slash is a path already.
    static func path(_ name: String) -> String { name.contains("/") ? name : folder + "/" + name }
}
