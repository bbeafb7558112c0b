// How a description says what is newer than a time.
//
//     {"parameter": "updated_after", "format": "iso", "member": "updatedAt", "lag": "5m"}
//     {"newestFirst": true, "member": "updatedAt"}

import PipelineCore
import PipelineHTTP

extension Source.Since {
    init?(in source: DescriptionReader) {
        guard let object = source.object("since", as: .since) else { return nil }
        let member = object.path("member", isRequired: true)
        let format: Format? = object.word("format")
        let lag = object.duration("lag")
        if object.boolean("newestFirst") == true {
            for name in ["parameter", "format"] where object.value(name) != nil {
                object.mistake(name, "has no use where the newest records come first")
            }
            means = .newestFirst
        } else {
            guard let placement = Placement(in: object, "parameter", isRequired: true) else { return nil }
            means = .parameter(placement, format ?? .iso)
        }
        guard let member else { return nil }
        self.member = member
        lagSeconds = lag ?? 0
    }
}
