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
        --learn | --learn= | \
        --learn-key | --learn-key= | \
        --search | --search= | \
        --param | --param= | \
        --id | --id= | \
        --each | --each= | \
        --since | --since= | \
        --limit | --limit= | \
        --page-size | --page-size= | \
        --max-line | --max-line= | \
        --expect | --expect= | \
        --min-records | --min-records= | \
        --jobs | --jobs= | \
        --retries | --retries= | \
        --connect-timeout | --connect-timeout= | \
        --timeout | --timeout= | \
        --deadline | --deadline= | \
        --max-retry-after | --max-retry-after= | \
        --rate | --rate= | \
        --user-agent | --user-agent= | \
        --max-age | --max-age= | \
        --stale-if-error | --stale-if-error=)
            compopt +o default 2>/dev/null
            return ;;
        --key-file | --key-file= | \
        --rejects | --rejects= | \
        --report | --report= | \
        --state | --state=)
            :
            return ;;
        --on-bad-line | --on-bad-line=)
            COMPREPLY=($(compgen -W $'skip\nstop' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --on-error | --on-error=)
            COMPREPLY=($(compgen -W $'stop\nskip' -- "$word"))
            compopt +o default 2>/dev/null
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
        --progress | --progress=)
            COMPREPLY=($(compgen -W $'auto\nalways\nnever' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--source\n--list-sources\n--show-source\n--input\n--base-url\n--learn\n--learn-key\n--search\n--param\n--id\n--each\n--since\n--limit\n--page-size\n--twice\n--key-file\n--on-bad-line\n--rejects\n--max-line\n--on-error\n--raw\n--with-page\n--with-each\n--seal\n--expect\n--min-records\n--report\n--jobs\n--state\n--plan\n--explain\n--retries\n--connect-timeout\n--timeout\n--deadline\n--max-retry-after\n--rate\n--user-agent\n--cache\n--max-age\n--offline\n--stale-if-error\n--record\n--replay\n--progress\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _fetch_characters fetch-characters
