# Completion of fetch-characters for bash, made from the tool's command line.

_fetch_characters() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} index IFS=$'\n'
    COMPREPLY=()
    # What is typed as --option=value comes in three words.
    if [ "$word" = "=" ]; then
        word=
        option=$option=
    elif [ "$option" = "=" ]; then
        option=${COMP_WORDS[COMP_CWORD-2]}=
    fi
    # Behind -- all words are operands.
    for ((index = 1; index < COMP_CWORD; index++)); do
        if [ "${COMP_WORDS[index]}" = "--" ]; then option=operand word=./$word; fi
    done
    case $option in
        --source | --source=)
            COMPREPLY=($(compgen -W $'disney' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --base-url | --base-url= | \
        --search | --search= | \
        --param | --param= | \
        --id | --id= | \
        --limit | --limit= | \
        --page-size | --page-size= | \
        --max-pages | --max-pages= | \
        --expect | --expect= | \
        --min-records | --min-records= | \
        --retries | --retries= | \
        --connect-timeout | --connect-timeout= | \
        --timeout | --timeout= | \
        --deadline | --deadline= | \
        --max-retry-after | --max-retry-after= | \
        --user-agent | --user-agent=)
            compopt +o default 2>/dev/null
            return ;;
        --report | --report=)
            :
            return ;;
        --progress | --progress=)
            COMPREPLY=($(compgen -W $'auto\nalways\nnever' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--source\n--base-url\n--search\n--param\n--id\n--limit\n--page-size\n--max-pages\n--raw\n--with-page\n--seal\n--expect\n--min-records\n--report\n--retries\n--connect-timeout\n--timeout\n--deadline\n--max-retry-after\n--user-agent\n--progress\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _fetch_characters fetch-characters
