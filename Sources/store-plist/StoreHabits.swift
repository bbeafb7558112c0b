// Options of plutil, jq and other tools that people try here, and what does their job.

import PipelineCore

extension Command<StoreSettings> {
    static var habits: [(names: String, cure: String)] {
        let formats = StoreFormat.allCases.map { "--format \($0)" }.joined(separator: " or ")
        return [
            ("o output", "name the file as an argument: store-plist characters.plist"),
            ("append", "write --mode=append"),
            ("merge update insert", "write --mode=merge --key id"),
            ("replace overwrite", "a store is replaced unless --mode says otherwise; leave it out"),
            ("remove delete", "write --mode=remove --key id, with the records to remove on stdin"),
            ("json print p c r", "write --load, which prints the stored records as JSON Lines"),
            ("convert", "write \(formats), or --load for JSON Lines"),
            ("xml xml1 X", "write --format xml"),
            ("binary binary1 B", "write --format binary"),
            ("lint", "write store-plist --load FILE >/dev/null, which reads all of it"),
            ("extract", "write store-plist --load FILE | jq .name"),
            ("create", "a FILE that doesn't exist is created; leave it out"),
            ("n dry-run", "write --diff FILE --key id, which compares and stores nothing"),
            ("input i", "records come on stdin: store-plist < FILE"),
            ("b", "write --backup SUFFIX"),
            ("id", "write --key id"),
            ("unique", "write --key PATH; of two records with one key the last is stored"),
            ("sort", "sort the records before: jq -sc 'sort_by(.name)[]'"),
            ("swift", "write --describe swift"),
            ("tee", "write tee records.jsonl | store-plist FILE"),
            ("exit-status", "--diff ends with 1 where it finds a difference; leave it out"),
            ("big-integers control nonfinite", "write --lossy text for what a property list or JSON can't hold"),
            ("allow-empty", "write --min-records 0"),
            ("V", "write --version"),
        ]
    }
}
