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
    # After -- all words are operands.
    for ((index = 1; index < COMP_CWORD; index++)); do
        if [ "${COMP_WORDS[index]}" = "--" ]; then option=operand word=./$word; fi
    done
    case $option in
        --source | --source=)
            COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --list-sources 2>/dev/null | cut -d ' ' -f 1)" -- "$word"))
            COMPREPLY+=($(compgen -f -X '!*.json' -- "$word") $(compgen -d -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --learn | --learn=)
            COMPREPLY=($(compgen -W $'-' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --show-source | --show-source=)
            COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --list-sources 2>/dev/null | cut -d ' ' -f 1)" -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --input | --input=)
            COMPREPLY=($(compgen -W $'-' -- "$word"))
            COMPREPLY+=($(compgen -f -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --base-url | --base-url= | \
        --limit | --limit= | \
        --page | --page= | \
        --search | --search= | \
        --id | --id= | \
        --param | --param= | \
        --since | --since= | \
        --each | --each= | \
        --page-size | --page-size= | \
        --min-records | --min-records= | \
        --jobs | --jobs= | \
        --rate | --rate= | \
        --retries | --retries= | \
        --timeout | --timeout= | \
        --deadline | --deadline= | \
        --max-age | --max-age= | \
        --stale-if-error | --stale-if-error=)
            compopt +o default 2>/dev/null
            return ;;
        --key-file | --key-file= | \
        --state | --state= | \
        --report | --report=)
            :
            return ;;
        --on-error | --on-error=)
            COMPREPLY=($(compgen -W $'stop\nskip' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --on-bad-line | --on-bad-line=)
            COMPREPLY=($(compgen -W $'skip\nstop' -- "$word"))
            COMPREPLY+=($(compgen -f -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --cache | --cache=)
            COMPREPLY=($(compgen -W $'none' -- "$word"))
            COMPREPLY+=($(compgen -d -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --record | --record= | \
        --replay | --replay=)
            COMPREPLY+=($(compgen -d -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--source\n--list-sources\n--learn\n--show-source\n--input\n--base-url\n--key-file\n--limit\n--page\n--search\n--id\n--param\n--since\n--each\n--twice\n--page-size\n--seal\n--state\n--raw\n--plan\n--explain\n--min-records\n--report\n--with-each\n--with-page\n--on-error\n--on-bad-line\n--jobs\n--rate\n--retries\n--timeout\n--deadline\n--max-age\n--offline\n--stale-if-error\n--cache\n--record\n--replay\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _fetch_characters fetch-characters
