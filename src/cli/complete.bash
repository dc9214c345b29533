
# What redexter itself knows: strategies, rules, models with their definitions, stages, topics.
_redexter_asks() {
    local word
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <("$1" complete --breaks="$COMP_WORDBREAKS" -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        _redexter "$@"
    elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _redexter_asks -o bashdefault -o default redexter
