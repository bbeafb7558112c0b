// Three records in a store, and a look at what a store holds.

import TestSupport
import Testing

extension ScratchFolder {
    static let abc = #"{"id":1,"n":"a"}"# + "\n" + #"{"id":2,"n":"b"}"# + "\n" + #"{"id":3,"n":"c"}"# + "\n"

    /// A directory with the three records in its store.
    static func withStore(_ arguments: [String] = []) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", arguments, input: abc.utf8, folder: folder).status == 0)
        return folder
    }

    /// The lines of the stored records.
    func loaded(_ arguments: [String] = []) throws -> [String] {
        // Nothing but its name would show that an empty file is a store of lines.
        if arguments.isEmpty, try bytes("characters.plist").isEmpty { return [] }
        let run = try Session("store-plist", ["--load"] + arguments, folder: self)
        #expect(run.status == 0)
        return run.lines
    }
}
