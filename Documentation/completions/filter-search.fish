# Completion of filter-search for fish, made from the tool's command line.

function __filter_search_has_query
    set -l previous ''
    for word in (commandline -opc)[2..]
        if contains -- $word -e --query; return 0; end
        if not string match -q -- '-*' $word
            and not contains -- $previous -e --query -f --field --where -m --limit --best --color --report --on-bad-line
            return 0
        end
        set previous $word
    end
    return 1
end
complete -c filter-search -n 'not __filter_search_has_query' -f
complete -c filter-search -s e -l query -x -d 'Search for QUERY; repeat it to match any of several'
complete -c filter-search -s f -l field -x -d 'Search the member PATH, such as films; repeatable'
complete -c filter-search -s a -l any -d 'Search every string value of the record'
complete -c filter-search -l where -x -d 'Only records that also satisfy \'PATH OP VALUE\', with =, !=, <, <=, > or >=, or \'PATH exists\'; repeatable, all must hold'
complete -c filter-search -s v -l invert -d 'Print the records that don\'t match; negates the query and --where as a whole'
complete -c filter-search -s w -l word -d 'Match whole words (UAX 29)'
complete -c filter-search -s x -l whole -d 'Match the whole text'
complete -c filter-search -s p -l prefix -d 'Match the beginning of a text'
complete -c filter-search -s E -l regex -d 'QUERY is a regular expression; any case unless -s'
complete -c filter-search -s z -l fuzzy -d 'Find whole words with typing errors: none up to 4 letters, one up to 8, two from 9'
complete -c filter-search -l loose -d 'Ignore punctuation and spaces, and find Cyrillic, Greek and kana by their Latin spellings'
complete -c filter-search -s s -l case-sensitive -d 'Match case and accents as typed'
complete -c filter-search -l accents -d 'Match accents and strokes as typed, in any case unless -s'
complete -c filter-search -l all -d 'Match records that contain every query, not just one'
complete -c filter-search -s m -l limit -x -d 'Stop reading after N matches'
complete -c filter-search -s c -l count -d 'Print {"count":N} instead of the records'
complete -c filter-search -s q -l quiet -d 'Print nothing; status 0 at the first match, 1 if none'
complete -c filter-search -l best -x -d 'Print the N best matches, best first: whole text, prefix, word, beginning of a word, anywhere else'
complete -c filter-search -l exit-status -d 'End with 1 if no record matches'
complete -c filter-search -l color -x -a 'auto always never' -d 'Highlight matches'
complete -c filter-search -l explain -d 'Print where each match is to stderr, as JSON'
complete -c filter-search -l report -r -F -d 'Write one JSON object about the run to FILE'
complete -c filter-search -l on-bad-line -r -F -a 'skip stop' -d 'What to do with a line that isn\'t a record: skip it, stop, or write it to FILE and skip it'
complete -c filter-search -l strict -d 'Check every line, even those that can\'t match'
complete -c filter-search -s h -l help -d 'Show the help'
complete -c filter-search -l version -d 'Show the version'
