# Completion of filter-search for fish, made from the tool's command line.

function __filter_search_has_query
    set -l previous ''
    for word in (commandline -opc)[2..]
        if contains -- $word -e --query; return 0; end
        if not string match -q -- '-*' $word
            and not contains -- $previous -e --query -f --field --where -m --limit --best --color --report --on-bad-line --rejects --max-line --progress
            return 0
        end
        set previous $word
    end
    return 1
end
complete -c filter-search -n 'not __filter_search_has_query' -f
complete -c filter-search -s e -l query -x -d 'Look for QUERY; repeat it to look for any of several'
complete -c filter-search -l all -d 'Demand all the queries, not any of them'
complete -c filter-search -s f -l field -x -d 'Search the member PATH, such as films; repeatable'
complete -c filter-search -s a -l any -d 'Search every string value of the record'
complete -c filter-search -l accents -d 'Any case, but accents and strokes as typed'
complete -c filter-search -s s -l case-sensitive -d 'Case and accents as typed'
complete -c filter-search -s p -l prefix -d 'The text starts with the query'
complete -c filter-search -s w -l word -d 'The query must be whole words (UAX 29)'
complete -c filter-search -s z -l fuzzy -d 'Each word may have typing errors: none up to 4 letters, one up to 8, two from 9'
complete -c filter-search -l loose -d 'However people type it: signs and spaces don\'t count, kana are one, and Cyrillic, Greek and kana are found by their Latin spellings'
complete -c filter-search -s E -l regex -d 'The query is a regular expression; any case unless -s'
complete -c filter-search -l where -x -d 'Only records with this too: \'PATH OP VALUE\' with =, !=, <, <=, > or >=, or \'PATH exists\'; repeatable, all must hold'
complete -c filter-search -s x -l whole -d 'The query is the whole text'
complete -c filter-search -l strict -d 'Check every line, also one that can\'t match'
complete -c filter-search -s v -l invert -d 'Print the records that don\'t match: query and --where together are turned round'
complete -c filter-search -s m -l limit -x -d 'Stop reading after N records are found'
complete -c filter-search -l best -x -d 'Print the N best matches, best first: the whole text before a prefix, a word, the beginning of a word, the inside; then fewer typing errors, then the earlier place'
complete -c filter-search -s c -l count -d 'Print {"count":N} in place of the records'
complete -c filter-search -s q -l quiet -d 'Print nothing; status 0 at the first match, 1 without one'
complete -c filter-search -l explain -d 'Tell on stderr, as JSON, where each match was found'
complete -c filter-search -l color -x -a 'auto always never' -d 'Show what was found in colour'
complete -c filter-search -l report -r -F -d 'Write one JSON object about the run'
complete -c filter-search -l exit-status -d 'End with status 1 where nothing is found'
complete -c filter-search -l on-bad-line -x -a 'skip stop' -d 'What becomes of the run at a line that isn\'t a record'
complete -c filter-search -l rejects -r -F -d 'Write the lines that aren\'t records to FILE'
complete -c filter-search -l max-line -x -d 'The longest line that is taken, such as 512k or 1G'
complete -c filter-search -l progress -x -a 'auto always never' -d 'Show on stderr how far the run is'
complete -c filter-search -s h -l help -d 'Show the help'
complete -c filter-search -l version -d 'Show the version'
