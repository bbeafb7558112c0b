// What the command line of fetch-images asks for.

import PipelineCore
import PipelineHTTP

/// The settings of a run.
struct ImagesSettings {
    /// `--on-error`: what becomes of a record whose picture can't be had.
    enum ErrorPolicy {
        case keep
        case drop
        case stop
    }

    var directory = "images"
    /// `--field`; empty stands for the usual ones.
    var fields: [JSONPath] = []
    var baseURL: HTTPURL?
    /// `--member`.
    var memberName = "imageFile"
    var errorPolicy = ErrorPolicy.keep
    /// `--jobs`: pictures fetched at once.
    var jobs = 64
    /// `--per-host`: of these at one host and port.
    var jobsPerHost = 16
    /// `--max-bytes`.
    var limitBytes = 64 << 20
    /// `--max-pixels`.
    var pixelLimit = ImageInfo.defaultPixelLimit
    /// `--unordered`: records go out as their pictures come.
    var isOrdered = true
    /// `--name`.
    var nameTemplate: NameTemplate?
    /// `--embed`: the picture itself goes into the record too.
    var embeds = false
    /// The most bytes of a picture in a record: in base64 and with the record around it they are a line still.
    static let embeddedLimitBytes = 47 << 20
    /// The most bytes of a picture.
    var pictureLimitBytes: Int { embeds ? min(limitBytes, Self.embeddedLimitBytes) : limitBytes }
    /// `--placeholder`: a failure gets another picture.
    var usesPlaceholder = false
    /// Its file; nil for the tool's own.
    var placeholderPath: String?
    /// `--verify`: the store is checked, and nothing is fetched.
    var verifies = false
    /// The first option that was given and means nothing to `--verify`.
    private var fetchingOption: String?
    /// `--gallery`: a page with the records and their pictures.
    var galleryPath: String?
    /// What the store has is read again.
    var readsPictures: Bool { embeds || galleryPath != nil }
    /// `--gallery-bytes`: pictures in that page, together.
    var galleryLimitBytes = 256 << 20
    var reportPath: String?
    var messages = MessageSettings()
    var input = InputSettings(badLines: .skip)
    var client: HTTPClient.Options

    init() {
        client = HTTPClient.Options(userAgent: "castline/\(Tool.version)")
        client.allowsPrivateAddresses = false
        client.cache.absenceSeconds = 600
    }
}

extension ImagesSettings {
    /// Notes an option that is about records and their pictures.
    mutating func noteFetching(_ option: String) { fetchingOption = fetchingOption ?? option }

    /// Refuses what doesn't go together.
    func check() throws(UsageError) {
        if verifies, let option = fetchingOption {
            throw UsageError("--verify reads no records; leave out \(option)")
        }
        guard !embeds || memberName != ImagesRun.dataName else {
            throw UsageError("--member \(memberName) is the name of what --embed adds; choose another one")
        }
        try client.check()
    }

    /// - Throws: status 64 where a file would be two things at once.
    func checkFiles() throws(ToolFailure) {
        var files = FileConflicts()
        files.write("--report", reportPath)
        files.write("--rejects", input.rejectsPath)
        files.write("--gallery", galleryPath)
        try files.check(reads: [verifies ? nil : "-", placeholderPath].compactMap { $0 })
    }
}
