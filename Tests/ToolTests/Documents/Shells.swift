// Other programs that judge documents, where the machine has them.

import Foundation

enum Shells {
    /// Whether the program is on the path of the tests.
    static func has(_ program: String) -> Bool { Programs.path([program]) != nil }

    /// The directory on the path of the tests that has the program.
    static func folder(of program: String) -> String? {
        Programs.path([program]).map { String($0.dropLast(program.count + 1)) }
    }

    /// The paths of all manual pages of the checkout.
    static func manualPages() throws -> [String] {
        let folder = Fixtures.checkout + "/Documentation/man"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.last?.isNumber == true }
            .sorted().map { "\(folder)/\($0)" }
    }
}
