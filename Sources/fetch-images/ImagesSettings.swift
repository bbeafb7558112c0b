// What the command line of fetch-images asks for.

import PipelineCore
import PipelineHTTP

struct ImagesSettings: ClientSettings {
    /// `--on-error`: what to do with a record whose picture isn't available.
    enum ErrorPolicy { case keep, drop, stop }

    var directory = "images"
    var pictures = PictureChoice.first
    /// `--field`; empty for the default ones.
    var fields: [JSONPath] = []
    var baseURL: HTTPURL?
    /// `--key`: where requests to the service of the pictures have its key.
    var key: PictureKeyPlace?
    var keyFile: String?
    var errorPolicy = ErrorPolicy.keep
    var jobs = 64
    /// `--per-host`: of these, the number at one host and port.
    var jobsPerHost = 16
    var limitBytes = 64 << 20
    var nameTemplate: NameTemplate?
    var embeds = false
    /// The most bytes of an embedded picture: in base64 and with its record it still fits the limit of a line.
    static let embeddedLimitBytes = 47 << 20
    var pictureLimitBytes: Int { embeds ? min(limitBytes, Self.embeddedLimitBytes) : limitBytes }
    /// `--placeholder`: a failure gets this picture; empty for the built-in one.
    var placeholderPath: String?
    var verifies = false
    /// `--gallery`: a page with the records and their pictures.
    var galleryPath: String?
    /// `--gallery-links`: the page links the pictures, however small they are.
    var linksPictures = false
    var readsPictures: Bool { embeds || galleryPath != nil && !linksPictures }
    /// The most bytes of pictures that a gallery holds itself; a page with more of them links them all.
    var galleryLimitBytes = 32 << 20
    /// `--prune`: pictures that no run has named for this long are removed.
    var pruneSeconds: Double?
    var reportPath: String?
    var messages = MessageSettings()
    var input = InputSettings(badLines: .skip)
    var client: HTTPClient.Options

    init() {
        client = HTTPClient.Options(userAgent: UserAgent.chosen)
        client.allowsPrivateAddresses = false
        client.cache.absenceSeconds = 600
    }

    var readsStandardInput: Bool { !verifies }

    func check() throws(UsageError) {
        try UserAgent.check()
        if let key, key.variable == nil, keyFile == nil {
            throw UsageError(
                "--key needs the variable that holds the key, header:NAME=VARIABLE or query:NAME=VARIABLE, or --key-file FILE"
            )
        }
    }

    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts()
        try files.write("--report", reportPath)
        try files.write("--on-bad-line", input.rejectsPath)
        try files.keepStores()
        try files.write("--gallery", galleryPath)
        try files.check(
            reads: [verifies ? nil : "-", placeholderPath, keyFile].compactMap { $0 }.filter { !$0.isEmpty })
    }
}

/// `--pictures`: which of a record's pictures are fetched.
package enum PictureChoice: Sendable {
    case first, all

    /// The member that every record gets.
    package var memberName: String {
        switch self {
        case .first: "imageFile"
        case .all: "imageFiles"
        }
    }

    /// The members that give way to it: one of its name, and the one in whose place it is.
    package var replacedNames: [String] {
        switch self {
        case .first: [memberName]
        case .all: [memberName, PictureChoice.first.memberName]
        }
    }
}
