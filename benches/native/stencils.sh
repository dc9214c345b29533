#!/usr/bin/env bash
# Stencils and the gradient of one as exported, exact and with --fast, beside C by hand (stencils_hand.c) that is compiled with the
# same flags: least times of interleaved repetitions on one core, and their ratio. REDEXTER is the program.
set -euo pipefail
cd "$(dirname "$0")/../.."

. benches/native/start.sh
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
for kind in exact fast; do
    option=()
    [ $kind = fast ] && option=(--fast)
    for name in heat grid roughGradient; do
        applied=()
        [ $name = roughGradient ] && applied=(--apply fastGradient)
        "$REDEXTER" export c "benches/native/stencils.arr:$name" "${applied[@]}" "${option[@]}" --vectors "$vectors" -o "$made/$name"
    done
    for file in "$made"/{heat,grid,roughGradient}.c benches/native/stencils_hand.c; do
        cc $(cat $of/every.txt "$of/$kind.txt" "$of/${kind}_gcc.txt") -c -o "$made/$(basename "$file" .c).o" "$file"
    done
    cc -std=gnu11 -O2 -I"$made" -o "$made/bench" benches/native/stencils.c "$made"/{heat,grid,roughGradient,stencils_hand}.o -lm
    echo "$kind"
    "$made/bench"
done
