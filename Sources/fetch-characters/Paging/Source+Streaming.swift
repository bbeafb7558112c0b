// Which answers can be read while they come: those whose records are one list at a plain path, and that say nothing else
// in the same place.
//
//     "records": "$.data", "total": "$.info.count"                  yes: what is left without the records has the total
//     "records": "$.data", "next": "$.data[-1].id"                  no: a record leads on
//     "records": "$.sets[*].cards"                                  no: many lists
//     "records": "$.data", "merge": {}                              no: a later record may be part of an earlier one

import PipelineCore
import PipelineHTTP

extension Source {
    /// Where the records are in an answer that can be read while it comes. Nil for one that has to be there as a whole.
    var streamedPlace: ElementStream.Place? {
        guard records.format == .json, merge == nil, let path = records.path.names else { return nil }
        guard pathsBesideRecords.allSatisfy({ Self.staysOutside($0, of: path) }) else { return nil }
        return ElementStream.Place(path: path, isObject: records.key != nil)
    }

    /// Whether the records of an answer can be read while it comes.
    var isStreamable: Bool { records.format == .lines || streamedPlace != nil }

    /// What is read from an answer besides its records.
    var pathsBesideRecords: [JSONPath] {
        [refusals.errors, refusals.busy, pagination.count?.location.path, pagination.more].compactMap(\.self)
            + pagination.nextLocations.compactMap(\.path)
    }

    /// Whether a path finds the same where the list of records is empty.
    private static func staysOutside(_ path: JSONPath, of records: [[UInt8]]) -> Bool {
        let names = path.leadingNames
        if zip(names, records).contains(where: { $0 != $1 }) { return true }
        return names.count < records.count && path.names != nil
    }
}
