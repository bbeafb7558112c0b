# Completion of filter-search for bash, made from the tool's command line.

_filter_search() {
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
        -e | --query | --query= | \
        -f | --field | --field= | \
        --where | --where= | \
        -m | --limit | --limit= | \
        --best | --best=)
            compopt +o default 2>/dev/null
            return ;;
        --color | --color=)
            COMPREPLY=($(compgen -W $'auto\nalways\nnever' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --report | --report=)
            :
            return ;;
        --on-bad-line | --on-bad-line=)
            COMPREPLY=($(compgen -W $'skip\nstop' -- "$word"))
            COMPREPLY+=($(compgen -f -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--query\n--field\n--any\n--where\n--invert\n--word\n--whole\n--prefix\n--regex\n--fuzzy\n--loose\n--case-sensitive\n--accents\n--all\n--limit\n--count\n--quiet\n--best\n--exit-status\n--color\n--explain\n--report\n--on-bad-line\n--strict\n--help\n--version' -- "$word"))
            return ;;
    esac
    option=
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
            -e | --query) return 0 ;;
            -?*) ;;
            *)
                case $option in
                    -e | --query | -f | --field | --where | -m | --limit | --best | --color | --report | --on-bad-line) ;;
                    *) return 0 ;;
                esac ;;
        esac
        option=${COMP_WORDS[index]}
    done
    compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _filter_search filter-search
