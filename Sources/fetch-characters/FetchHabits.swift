// What people type here first, out of the habit of curl, gh and other tools, and what does its job.

import PipelineCore
import PipelineHTTP

extension Command<FetchSettings> {
    /// What to write in place of an operand: of a URL, a description or a source.
    static func advice(forOperand operand: String) -> String {
        if operand.contains("://") {
            return "work out the API's description first: "
                + "fetch-characters --learn \(ShellWord.quoted(operand)) > api.json"
        }
        if operand.hasSuffix(".jsonl") { return "write --source lines --input \(ShellWord.quoted(operand))" }
        return operand.hasSuffix(".json") || SourceLibrary.names.contains(operand)
            ? "write --source \(ShellWord.quoted(operand))"
            : "write --search \(ShellWord.quoted(operand)) for a text, --source NAME for an API"
    }

    static var habits: [(names: String, cure: String)] {
        let header = "a description's headers and key say what is sent, see castline-source(5)"
        return [
            ("o O output remote-name", "records go to stdout, write > FILE"),
            ("H header", header),
            ("expect", "write --min-records N; --report FILE has the number that came"),
            (
                "learn-key",
                "give --learn - a curl command on stdin that has the key: curl 'URL' -H 'X-Api-Key: …'"
            ),
            ("key api-key token u user b cookie", "write --key-file FILE, or set the variable that --plan names"),
            (
                "X request d data form F G get",
                "a description's method and body say so, see castline-source(5)"
            ),
            ("json", "records are JSON already; for a request's body see castline-source(5)"),
            ("url", "write --learn URL for the URL of a list, --base-url URL for a mirror of the source"),
            ("proxy x", "for a proxy set https_proxy"),
            ("k insecure cacert", "set SSL_CERT_FILE to the certificates to trust"),
            ("dry-run", "write --plan"),
            ("v verbose i include I head", "write --explain"),
            ("s silent S show-error", "write --quiet"),
            (
                "f fail fail-with-body L location compressed",
                "redirects are followed, errors end with a status of their own, and bodies come compressed; leave it out"
            ),
            ("m max-time", "write --deadline DURATION for the run, --timeout DURATION for a silent connection"),
            ("retry", "write --retries N"),
            ("parallel Z concurrency", "write --jobs N"),
            ("paginate all a", "all pages are fetched; leave it out"),
            ("max-pages pages n max", "write --limit N"),
            ("sort order order-by", "records keep the API's order; pipe them into jq -sc 'sort_by(.name)[]'"),
            ("fields select-fields columns", "every member is fetched; pipe the records into jq -c '{id, name}'"),
            ("offset skip", "all pages are fetched; pipe the records into tail -n +N"),
            ("count", "pipe the records into wc -l; write --limit N for the first N"),
            ("p", "all pages are fetched; write --limit N for the first records, --page N for one page"),
            ("delay sleep", "write --rate N/second"),
            ("name query grep filter", "write --search TEXT, or pipe into filter-search TEXT"),
            ("jsonl ndjson format", "records are JSON Lines; leave it out"),
            ("csv tsv table", "pipe the records into mlr --ijsonl --ocsv cat"),
            ("jq select pretty", "pipe the records into jq"),
            ("t template", "pipe the records into jq -r"),
            ("slurp", "pipe the records into jq -s ."),
            ("api", "write --source NAME; --list-sources lists them"),
            ("list sources", "write --list-sources"),
            ("no-cache", "write --cache none"),
            ("resume continue c C continue-at", "write --state FILE, and >> for the output"),
            ("V", "write --version"),
        ] + CommandManual.formerNetworkOptions
    }
}
