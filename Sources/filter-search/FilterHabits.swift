// Options of grep, ripgrep and jq that people try here, and what does their job.

import PipelineCore

extension Command<FilterSettings> {
    static var habits: [(names: String, cure: String)] {
        [
            ("i ignore-case S smart-case", "any case matches unless -s is given; leave it out"),
            ("F fixed-strings", "a query is plain text unless -E is given; leave it out"),
            ("P perl-regexp G basic-regexp extended-regexp pcre2", "write -E for a regular expression"),
            ("regexp", "write -E -e QUERY"),
            ("word-regexp", "write -w"),
            ("and", "write --all, with each query after -e"),
            ("or", "write -e QUERY -e QUERY, which finds either"),
            ("line-regexp", "write -x"),
            ("invert-match", "write -v"),
            ("max-count", "write -m N"),
            ("count-matches", "write -c, which counts records"),
            ("n line-number b byte-offset", "--explain gives the line and the bytes of each match"),
            ("o only-matching", "--explain says where each record matches, and jq -r .name cuts out a member"),
            ("l files-with-matches L files-without-match", "ask for each file: filter-search -q QUERY FILE"),
            ("r R recursive g glob t type include exclude", "name the files: filter-search QUERY *.jsonl"),
            ("U multiline", "a record is one line, and its text is searched with its line ends; leave it out"),
            (
                "A after-context B before-context C context",
                "a record is one line and is printed whole; leave it out"
            ),
            (
                "H with-filename no-filename heading no-heading",
                "records are printed without their file's name; leave it out"
            ),
            ("files", "write ls *.jsonl"),
            ("json", "the output is JSON Lines, and --explain adds where each match is"),
            ("no-color no-colour", "write --color never"),
            ("colour", "write --color"),
            ("u unrestricted hidden no-ignore", "every file that is named is read; leave it out"),
            ("no-messages", "write 2>/dev/null"),
            ("sort", "write --best N for the best matches first; the input's order is kept otherwise"),
            ("raw-output", "write filter-search QUERY | jq -r .name"),
            ("select", "write --where 'PATH OP VALUE', such as --where 'age >= 3'"),
            ("slurp", "write filter-search QUERY | jq -s ."),
            ("V", "write --version"),
        ]
    }
}
