// A model of the list of dogs at https://jsonblob.com/api/1151549092634943488: a bare array that somebody has put there,
// with no ids, one dog twice, an age that is a string, and a picture that isn't there. Other lists have gone.

/// The service with that one list.
struct DogsListAPI: APIModel {
    static let blob = "1151549092634943488"

    let prefix = "/dogs"
    let records: [ModelRecord]

    func window(of request: Request) -> Window? {
        segments(request) == ["api", Self.blob] ? Window(offset: 0, size: records.count) : nil
    }

    func response(to request: Request, window: Window?) -> Response {
        guard let window else { return .json(["message": "Blob not found"], status: 404) }
        return .json(
            .array(records[window.range(in: records.count)].map { .raw($0.bytes) }), type: "application/json")
    }
}
