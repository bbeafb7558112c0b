# Completion of fetch-images for bash, made from the tool's command line.

_fetch_images() {
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
        --dir | --dir= | \
        --record | --record= | \
        --replay | --replay=)
            COMPREPLY+=($(compgen -d -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --field | --field= | \
        --name | --name= | \
        --key | --key= | \
        --base-url | --base-url= | \
        --prune | --prune= | \
        --gallery-title | --gallery-title= | \
        --member | --member= | \
        --jobs | --jobs= | \
        --per-host | --per-host= | \
        --max-bytes | --max-bytes= | \
        --max-pixels | --max-pixels= | \
        --rate | --rate= | \
        --retries | --retries= | \
        --timeout | --timeout= | \
        --connect-timeout | --connect-timeout= | \
        --deadline | --deadline= | \
        --max-retry-after | --max-retry-after= | \
        --user-agent | --user-agent= | \
        --max-age | --max-age= | \
        --stale-if-error | --stale-if-error= | \
        --max-line | --max-line=)
            compopt +o default 2>/dev/null
            return ;;
        --on-error | --on-error=)
            COMPREPLY=($(compgen -W $'keep\ndrop\nstop' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --key-file | --key-file= | \
        --placeholder= | \
        --gallery | --gallery= | \
        --report | --report= | \
        --rejects | --rejects=)
            :
            return ;;
        --cache | --cache=)
            COMPREPLY=($(compgen -W $'none' -- "$word"))
            COMPREPLY+=($(compgen -d -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --on-bad-line | --on-bad-line=)
            COMPREPLY=($(compgen -W $'skip\nstop' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --progress | --progress=)
            COMPREPLY=($(compgen -W $'auto\nalways\nnever' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--dir\n--field\n--on-error\n--name\n--key\n--key-file\n--allow-private\n--placeholder\n--base-url\n--prune\n--verify\n--gallery\n--gallery-title\n--embed\n--unordered\n--member\n--with-fetch\n--report\n--jobs\n--per-host\n--max-bytes\n--max-pixels\n--rate\n--retries\n--timeout\n--connect-timeout\n--deadline\n--max-retry-after\n--user-agent\n--max-age\n--offline\n--stale-if-error\n--cache\n--record\n--replay\n--on-bad-line\n--rejects\n--max-line\n--progress\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _fetch_images fetch-images
