// Options of curl, wget and other tools that people try here, and what does their job.

import PipelineCore
import PipelineHTTP

extension Command<ImagesSettings> {
    /// What to write in place of an operand: of a picture's URL, or of a file of records.
    static func advice(forOperand operand: String) -> String {
        guard operand.contains("://") else {
            return ImageType.isNamed(by: operand)
                ? "write --placeholder=\(ShellWord.quoted(operand)) to use it as the placeholder"
                : "records come on stdin, write fetch-images < \(ShellWord.quoted(operand))"
        }
        return
            "URLs come in records on stdin: printf '{\"image\":\"%s\"}\\n' \(ShellWord.quoted(operand)) | fetch-images"
    }

    static var habits: [(names: String, cure: String)] {
        [
            ("o output", "records go to stdout, write > FILE; --dir DIR is for the pictures"),
            ("O remote-name", "write --name '{name}' for readable names"),
            ("directory out-dir output-dir P directory-prefix d", "write --dir DIR"),
            ("j parallel Z concurrency parallel-max threads workers", "write --jobs N"),
            ("html page", "write --gallery FILE.html"),
            (
                "gallery-bytes",
                "a page with more than 32 MiB of pictures links them; write --gallery-links for less"
            ),
            ("all all-pictures images", "write --pictures all"),
            ("url f path", "write --field PATH, such as --field image.url"),
            (
                "no-clobber nc c continue N timestamping skip-existing",
                "pictures that are there are kept and revalidated; leave it out"
            ),
            ("H header", "write --key header:NAME=VARIABLE for a key in a header field; others can't be sent"),
            ("u user b cookie api-key token", "write --key header:NAME=VARIABLE, with the value in that variable"),
            ("v verbose with-fetch", "write --report FILE, which counts how the pictures were got"),
            ("s silent", "write --quiet"),
            (
                "fail L location compressed",
                "redirects are followed, errors end with a status of their own, and bodies come compressed; leave it out"
            ),
            ("k insecure cacert", "set SSL_CERT_FILE to the certificates to trust"),
            ("proxy x", "for a proxy set https_proxy"),
            ("m max-time", "write --deadline DURATION for the run, --timeout DURATION for a silent connection"),
            ("retry t tries", "write --retries N"),
            ("max-filesize", "write --max-bytes SIZE"),
            ("max-pixels", "a picture may have 100 million pixels; leave it out"),
            (
                "gallery-title",
                "the title is the summary of the records' source, or the name of the page's file; leave it out"
            ),
            ("unordered", "records come out in the order of the input; leave it out"),
            (
                "member",
                "pipe the records into jq -c 'with_entries(if .key == \"imageFile\" then .key = \"NAME\" else . end)'"
            ),
            ("limit n", "pass fewer records: head -n N | fetch-images"),
            ("limit-rate", "write --rate N/second for requests; bytes aren't limited"),
            ("w wait sleep", "write --rate N/minute"),
            ("base64", "write --embed"),
            ("delete clean", "write --prune AGE, after a list with a seal"),
            ("i input-file", "records come on stdin, write fetch-images < FILE"),
            ("V", "write --version"),
        ] + CommandManual.formerNetworkOptions
    }
}
