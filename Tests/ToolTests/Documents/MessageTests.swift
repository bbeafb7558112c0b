// Every message says in one line what happened and what to do about it.

import Testing

@Suite("A message")
struct MessageTests {
    /// Commands that fail, and the words that must not be missing: those that help.
    private static let failures: [(command: String, status: Int32, help: String)] = [
        ("filter-search </dev/null", 64, "write filter-search QUERY"),
        ("filter-search x none", 66, "; check the path"),
        ("filter-search x .", 66, "; name a file"),
        ("echo '{\"name\":\"x\"}' | filter-search x >/dev/full", 74, "; make room and run it again"),
        ("filter-search --limt 3 x </dev/null", 64, "; did you mean --limit?"),
        ("filter-search -y x </dev/null", 64, "; filter-search --help lists them"),
        ("filter-search -m x y </dev/null", 64, "a whole number of at least 0, not 'x'"),
        ("filter-search --rejects no/x y </dev/null", 73, "; choose another file"),
        ("filter-search --report no/x y </dev/null", 73, "; choose another --report"),
        ("filter-search -E '(' </dev/null", 64, "add ')'"),
        (
            "echo '{}' >r; filter-search --rejects r x ./r", 64,
            "--rejects r is the file that is read as ./r; choose another file"
        ),
        ("echo '{}' >r; filter-search --report r x <r", 64, "--report r is the file that is read as stdin; choose"),
        ("echo '{}' >r; filter-search x r >>r", 64, "stdout is the file that is read as r; choose another file"),
        (
            "filter-search --report r --rejects ./r x </dev/null", 64,
            "--report r is the same file as --rejects ./r; choose another one"
        ),
        (
            "filter-search --report r x 2>>r </dev/null; status=$?; cat r >&2; (exit $status)", 64,
            "--report r is the same file as stderr; choose another one"
        ),
        ("filter-search --lim 3 x </dev/null", 64, "; did you mean --limit?"),
        ("echo '{}' >r; fetch-images <r >>r", 64, "stdout is the file that is read as stdin; choose another file"),
        ("fetch-images --gallery r --report r </dev/null", 64, "--gallery r is the same file as --report r"),
        ("fetch-characters --state= --base-url http://127.0.0.1:9", 64, "--state needs the name of a file"),
        ("filter-search --report= x </dev/null", 64, "--report needs the name of a file"),
        ("fetch-images --verify --on-error drop", 64, "--verify reads no records; leave out --on-error"),
        ("fetch-images --verify --rejects r", 64, "--verify reads no records; leave out --rejects"),
        ("store-plist --date d --data d </dev/null", 64, "--date and --data both name d; choose one"),
        ("echo '{}' >r; store-plist r <r", 64, "FILE r is the file that is read as stdin; choose another file"),
        ("echo '{}' | store-plist r --report r", 64, "FILE r is the same file as --report r; choose another one"),
        ("store-plist --load r --report r", 64, "--report r is the file that is read as r; choose another file"),
        (
            "fetch-characters --state r --report ./r", 64,
            "--state r is the same file as --report ./r; choose another one"
        ),
        ("echo '{\"name\":\"x\"}' | filter-search --report r x >&-", 74, "; open the stream before"),
        ("filter-search --progress=now x </dev/null", 64, "takes auto, always or never, not 'now'"),
        ("store-plist --load none.plist", 66, "; name a store that is there"),
        ("echo '{}' | store-plist no/x.plist", 73, "; choose a place where files can be created"),
        ("echo '{}' | store-plist no/", 73, "cannot create no/: no such file or directory; choose"),
        (": >r; echo '{}' | store-plist r/", 73, "cannot create r/: not a directory; choose"),
        (
            "mkdir r.old; echo '{}' >o; store-plist r <o >o2; echo '{\"a\":1}' | store-plist --backup .old r", 74,
            "cannot back up to r.old: is a directory; r is unchanged"
        ),
        ("echo '{}' | store-plist --mode merge", 64, "needs --key PATH"),
        ("echo '{}' | store-plist --mode mrge", 64, "takes replace, append, merge or remove, not 'mrge'"),
        ("echo '{\"a\":[null]}' | store-plist", 65, "; --null=omit leaves the element out"),
        ("echo '{\"a\":\"\\u0001\"}' | store-plist", 65, "; --control=replace stores U+FFFD instead"),
        ("echo '{}' | store-plist --sealed", 65, "its source failed, or ran without --seal; nothing is stored"),
        (
            "echo '{}' | store-plist --min-records 5", 65,
            "got 1 of at least 5 records; nothing is stored"
        ),
        ("fetch-characters foo", 64, "; a source is named with --source"),
        ("fetch-characters --output x", 64, "; records go to stdout, write > FILE"),
        (
            "fetch-characters --base-url 127.0.0.1:9", 64,
            "neither http:// nor https://; correct the URL or the option"
        ),
        ("fetch-images foo", 64, "; records come on stdin, write fetch-images < FILE"),
        ("filter-search -i x", 64, "; any case is found unless -s is given, leave it out"),
        ("filter-search --line-number x", 64, "; --explain tells the line of each match"),
        (
            "echo '{}' >r.jsonl; filter-search --where 'a != 3' r.jsonl </dev/null", 0,
            "warning: 'r.jsonl' is taken for the query, and stdin is read; write < r.jsonl to search"
        ),
        (
            "filter-search --where 'a = \"x' y", 64,
            "has a text whose quotes aren't right; write it as JSON, or without"
        ),
        ("store-plist --load --mode append", 64, "--load only reads; leave out --mode"),
        ("store-plist --load --key id", 64, "--load only reads; leave out --key"),
        ("store-plist --load --tee x.plist --verify", 64, "--load only reads; leave out --tee"),
        ("echo '{}' | store-plist --root ''", 64, "--root needs the name of a member"),
        (
            "echo '{}' >r; store-plist r </dev/null", 65,
            "r isn't a property list; it is unchanged, --force replaces it"
        ),
        (
            "echo '{}' >r; store-plist --force r </dev/null", 65,
            "r isn't empty; it is unchanged, --allow-empty replaces it"
        ),
        (
            "echo '{}' >r; echo '{}' | store-plist --force r >/dev/null", 0,
            "warning: r isn't a property list; it is replaced"
        ),
        (
            "echo '<plist><string>a</string></plist>' >r; echo '{}' | store-plist r", 65,
            "r is a property list without records; it is unchanged, --force replaces it"
        ),
        (
            "yes '{\"a\":1}' | head -500 | store-plist >r; head -c 9000 characters.plist >p; "
                + "echo '{}' | store-plist p", 65,
            "p is damaged or cut off; it is unchanged, --force replaces it"
        ),
        (
            "echo '{\"a\":1}' | store-plist --key a >r; echo '{\"a\":1}' | store-plist --key a --mode remove", 65,
            "none of the records of characters.plist would be left; it is unchanged, --allow-empty"
        ),
        ("echo '{}' | store-plist - >/dev/full", 74, "no space left on device; what came out isn't a whole"),
        ("filter-search Mick Maus", 66, "; check the path, or put quotes around a query of several words"),
        ("filter-search --where 'age == 3' x", 64, "there is no operator ==; write =, "),
        ("filter-search --where 'age =< 3' x", 64, "there is no operator =<; write =, "),
        (
            "echo '[{}]' | filter-search x", 65,
            "<stdin> looks like a JSON array; pipe it through jq -c '.[]'"
        ),
        (
            "echo '<plist>' | fetch-images", 65,
            "<stdin> looks like a property list; pipe it through store-plist --load -"
        ),
        (
            "echo '{' | store-plist", 65,
            "<stdin>:1:2: expected a member name or '}'; a record is on one line"
        ),
        (
            "echo \"{'a':1}\" | store-plist", 65,
            "; a record is on one line, its names in double quotes"
        ),
        (
            "echo '{}' | fetch-images --field x >/dev/null", 0,
            "warning: the one record has no URL in x; it has no members; --field says where it is"
        ),
        (
            "echo x >p; echo '{}' | fetch-images --placeholder=p", 65,
            "--placeholder p: not an image but plain text; name a picture"
        ),
        ("fetch-characters --base-url http://127.0.0.1:9 --retries 0", 69, "; check that the service is up"),
        (
            "http_proxy=http://127.0.0.1:9 fetch-characters --base-url http://x.example --retries 0", 69,
            "the proxy for x.example can't be reached; check http_proxy, https_proxy and all_proxy"
        ),
        ("fetch-characters --base-url ftp://x", 64, "; only http and https are supported"),
        ("fetch-characters --timeout", 64, "--timeout DURATION"),
        ("fetch-characters --deadline 0", 64, "above zero"),
        ("fetch-images --embed --member imageData </dev/null", 64, "the name of what --embed adds; choose"),
        ("fetch-images --help=all", 64, "--help takes no value"),
        ("fetch-images --verify --dir none", 66, "; name the store with --dir"),
        ("echo '{}' | fetch-images --placeholder=none.png", 66, "; choose another file for --placeholder"),
        (
            "echo '{\"imageURL\":\"http://10.0.0.1/x\"}' | fetch-images", 77,
            "10.0.0.1 is not a public address, first at <stdin>:1; --allow-private allows it"
        ),
        ("echo '{\"imageURL\":\"/x\"}' | fetch-images", 76, "; correct the URL or the option"),
    ]

    @Test(arguments: failures)
    func `says in one line what happened and what to do about it`(command: String, status: Int32, help: String)
        throws
    {
        let run = try Session.script("set -o pipefail; \(command)")
        #expect(run.status == status)
        #expect(run.errors.contains(help), "\(run.errors)")
        #expect(run.errors.filter { $0 == "\n" }.count == 1 && run.errors.hasSuffix("\n"))
        let tools = ["filter-search: ", "store-plist: ", "fetch-characters: ", "fetch-images: "]
        #expect(tools.contains { run.errors.hasPrefix($0) })
        #expect(!run.errors.contains("Error") && !run.errors.contains(".swift"))
    }
}
