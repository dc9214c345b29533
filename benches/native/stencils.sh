#!/usr/bin/env bash
# Stencils, and gradients of loops that read at moved indices and at indices from data, as exported, exact and with --fast, beside
# C by hand (stencils_hand.c) that is compiled with the same flags: least times of interleaved repetitions on one core, and their
# ratio. REDEXTER is the program.
set -euo pipefail
cd "$(dirname "$0")/../.."

. benches/native/start.sh
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
for kind in exact fast; do
    option=()
    [ $kind = fast ] && option=(--fast)
    objects=()
    for name in heat grid {rough,trapezoid,kernel,signal,mirrored,curved,bent,placed,edges,tabled}Gradient; do
        applied=()
        [[ $name == *Gradient ]] && applied=(--apply fastGradient)
        "$REDEXTER" export c "benches/native/stencils.arr:$name" "${applied[@]}" "${option[@]}" --vectors "$vectors" -o "$made/$name"
    done
    for file in "$made"/*.c benches/native/stencils_hand.c; do
        objects+=("$made/$(basename "$file" .c).o")
        cc $(cat $of/every.txt "$of/$kind.txt" "$of/${kind}_gcc.txt") -c -o "${objects[-1]}" "$file"
    done
    cc -std=gnu11 -O2 -I"$made" -o "$made/bench" benches/native/stencils.c "${objects[@]}" -lm
    echo "$kind"
    "$made/bench"
done
