// The command line of the server.
//
//     local-server --catalogue characters.json --pictures pictures --fault 'page=2,times=1,status=503'

import PipelineCore

/// What the server was told to serve, and how to misbehave.
struct Options {
    /// A JSON file: an array of records, or an object whose `data` is one. Without it there are no records.
    var cataloguePath: String?
    /// The folder of the pictures. Without it there are none.
    var picturesPath: String?
    /// The folder of the other APIs' records. Without it those that have files of records aren't there.
    var recordsPath: String?
    /// 0 is any free port.
    var port: UInt16 = 0
    /// Where a line is appended for each request.
    var logPath: String?
    var faults: [Fault] = []
    /// Clients that ask for gzip get it.
    var compresses = false
    var endsWithInput = false
    var wantsHelp = false

    /// - Throws: status 64 for whatever is not understood, and 66 for a fault's file that can't be read.
    init(_ arguments: [String]) throws(ToolFailure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let attached = parts.count > 1 ? String(parts[1]) : nil
            switch name {
            case "--catalogue": cataloguePath = try Self.value(name, attached, &rest)
            case "--pictures": picturesPath = try Self.value(name, attached, &rest)
            case "--records": recordsPath = try Self.value(name, attached, &rest)
            case "--log": logPath = try Self.value(name, attached, &rest)
            case "--fault": faults.append(try Fault(try Self.value(name, attached, &rest)))
            case "--port":
                let text = try Self.value(name, attached, &rest)
                guard let number = UInt16(text) else {
                    throw ToolFailure(.usage, "port \(text) is not a number from 0 to 65535; 0 takes any free port")
                }
                port = number
            case "--gzip" where attached == nil: compresses = true
            case "--until-stdin-closes" where attached == nil: endsWithInput = true
            case "--help" where attached == nil: wantsHelp = true
            default: throw ToolFailure(.usage, "unknown option \(argument); see --help")
            }
        }
    }

    private static func value(
        _ name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(ToolFailure) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw ToolFailure(.usage, "option \(name) needs a value; see --help")
        }
        return value
    }

    static var help: String {
        """
        Usage: local-server [option]…

        Serves a catalogue of characters as the Disney API does, pictures, and small models of other APIs, on
        127.0.0.1 only. Prints http://127.0.0.1:PORT when it is ready.

          --catalogue FILE      a JSON array of records, or an object whose data is one
          --pictures DIR        files served under /images/
          --records DIR         records of the other APIs: dog- and cat-breeds.json and -images.json, dogs.json
          --port N              0, the default, takes any free port
          --log FILE            append one JSON line for each request
          --gzip                compress answers for clients that ask for gzip
          --fault SPEC          misbehave, see below; repeatable
          --until-stdin-closes  end when stdin does
          --help                this text

        The other APIs, each under a path of its own. A key that starts with live_ is right.
        \(ModelList.help)

        @BASE@ in a record, a fault's body, file, header or redirect becomes http://127.0.0.1:PORT, and
        @ELSEWHERE@ http://localhost:PORT, which is another origin.

        A SPEC is a list of conditions and effects, as in 'page=7,times=2,status=500'. All its conditions
        must hold. Of several specs the first that applies takes the request, and the later ones don't see
        it. In values \\, is a comma, \\\\ a backslash, \\n \\r \\t and \\xHH are bytes.
        A Content-Length or Content-Encoding of a fault's own stands in place of the true one.
        A DURATION is 500ms, 5s or 10m; a bare number is seconds.

        Conditions:
        \(FaultPart.conditions.map(\.help).joined(separator: "\n"))

        Effects, which can be combined unless they contradict each other:
        \(FaultPart.effects.map(\.help).joined(separator: "\n"))

        """
    }
}
