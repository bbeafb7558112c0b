# Completion of store-plist for bash, made from the tool's command line.

_store_plist() {
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
        --mode | --mode=)
            COMPREPLY=($(compgen -W $'replace\nappend\nmerge\nremove' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --key | --key= | \
        --root | --root= | \
        --backup | --backup= | \
        --wait | --wait= | \
        --min-records | --min-records= | \
        --ignore | --ignore= | \
        --csv | --csv= | \
        --newest | --newest= | \
        --type | --type= | \
        --date | --date= | \
        --data | --data=)
            compopt +o default 2>/dev/null
            return ;;
        --format | --format=)
            COMPREPLY=($(compgen -W $'xml\nbinary\njsonl' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --report | --report= | \
        --changes | --changes= | \
        --diff | --diff=)
            :
            return ;;
        --same-shape=)
            COMPREPLY=($(compgen -W $'on\noff' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --describe | --describe=)
            COMPREPLY=($(compgen -W $'swift' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --null | --null=)
            COMPREPLY=($(compgen -W $'omit\nerror' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --lossy | --lossy=)
            COMPREPLY=($(compgen -W $'error\ntext' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --on-bad-line | --on-bad-line=)
            COMPREPLY=($(compgen -W $'skip\nstop' -- "$word"))
            COMPREPLY+=($(compgen -f -- "$word"))
            compopt -o filenames 2>/dev/null
            return ;;
    esac
    case $word in
        -*)
            COMPREPLY=($(compgen -W $'--mode\n--key\n--format\n--report\n--root\n--keyed\n--sealed\n--backup\n--wait\n--min-records\n--force\n--same-shape\n--verify\n--changes\n--ignore\n--diff\n--load\n--csv\n--newest\n--describe\n--type\n--date\n--data\n--null\n--lossy\n--strict\n--on-bad-line\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    return 0
}

complete -o default -F _store_plist store-plist
