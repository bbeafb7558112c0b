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
        --jobs | --jobs= | \
        --per-host | --per-host= | \
        --max-bytes | --max-bytes= | \
        --rate | --rate= | \
        --retries | --retries= | \
        --timeout | --timeout= | \
        --deadline | --deadline= | \
        --max-age | --max-age= | \
        --stale-if-error | --stale-if-error=)
            compopt +o default 2>/dev/null
            return ;;
        --pictures | --pictures=)
            COMPREPLY=($(compgen -W $'first\nall' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --on-error | --on-error=)
            COMPREPLY=($(compgen -W $'keep\ndrop\nstop' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --key-file | --key-file= | \
        --placeholder= | \
        --gallery | --gallery= | \
        --report | --report=)
            :
            return ;;
        --cache | --cache=)
            COMPREPLY=($(compgen -W $'none' -- "$word"))
            COMPREPLY+=($(compgen -d -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
        --on-bad-line | --on-bad-line=)
            COMPREPLY=($(compgen -W $'skip\nstop' -- "$word"))
            COMPREPLY+=($(compgen -f -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--dir\n--field\n--pictures\n--on-error\n--name\n--key\n--key-file\n--allow-private\n--placeholder\n--base-url\n--prune\n--verify\n--gallery\n--gallery-links\n--embed\n--report\n--jobs\n--per-host\n--max-bytes\n--rate\n--retries\n--timeout\n--deadline\n--max-age\n--offline\n--stale-if-error\n--cache\n--record\n--replay\n--on-bad-line\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _fetch_images fetch-images
