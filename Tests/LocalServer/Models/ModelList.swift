// Which APIs are served beside Disney's, and where.

import PipelineCore

/// The models of a run.
enum ModelList {
    /// What `--help` says of each.
    static let help = """
          /tokens              a list for those with a token, and the service that gives it
          /guarded             a list behind a CDN that turns requests away
          and one for each file of apis/ among the records, under its name or the prefix that it says
        """

    /// - Throws: status 66 or 65 for a file of records.
    static func models(_ options: Options, base: String) throws(ToolFailure) -> [any APIModel] {
        let models: [any APIModel] = [TokenAPI(), GuardedAPI()]
        guard let folder = options.recordsPath else { return models }
        return try models + ShapedAPI.all(in: folder, base: base)
    }
}
