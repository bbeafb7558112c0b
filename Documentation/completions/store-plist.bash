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
        --newest | --newest= | \
        --type | --type= | \
        --date | --date= | \
        --data | --data= | \
        --max-line | --max-line=)
            compopt +o default 2>/dev/null
            return ;;
        --format | --format=)
            COMPREPLY=($(compgen -W $'xml\nbinary' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --report | --report= | \
        --changes | --changes= | \
        --diff | --diff= | \
        --rejects | --rejects=)
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
        --nonfinite | --nonfinite=)
            COMPREPLY=($(compgen -W $'error\ntext' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --null | --null=)
            COMPREPLY=($(compgen -W $'omit\nerror' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --big-integers | --big-integers=)
            COMPREPLY=($(compgen -W $'error\ntext\nreal' -- "$word"))
            compopt +o default 2>/dev/null
            return ;;
        --control | --control=)
            COMPREPLY=($(compgen -W $'error\nreplace' -- "$word"))
            compopt +o default 2>/dev/null
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
            COMPREPLY=($(compgen -W $'--mode\n--key\n--format\n--tee\n--report\n--root\n--keyed\n--sealed\n--backup\n--wait\n--min-records\n--allow-empty\n--force\n--same-shape\n--verify\n--changes\n--ignore\n--diff\n--exit-status\n--load\n--newest\n--describe\n--type\n--nonfinite\n--date\n--data\n--null\n--big-integers\n--control\n--strict\n--on-bad-line\n--rejects\n--max-line\n--progress\n--quiet\n--help\n--version' -- "$word"))
            return ;;
    esac
    return 0
}

complete -o default -F _store_plist store-plist
