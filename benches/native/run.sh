#!/usr/bin/env bash
# Exported gradients, after the general schedule, beside C by hand (hand.c): least times of interleaved repetitions on one core,
# and ratios to the time by hand: exact, and with --fast. Exported code is compiled as `eval --native` does it; that by hand with
# -ffast-math. REDEXTER is the program, by default that of a release build; ONLY is a part of the workloads' names.
set -euo pipefail
cd "$(dirname "$0")/../.."

. benches/native/start.sh
made=${MADE:-$(mktemp -d)}
[ -n "${MADE:-}" ] || trap 'rm -r "$made"' EXIT
objects=()
compile() {
    local name=$1 model=$2
    for kind in exact fast; do
        local option=()
        [ $kind = fast ] && option=(--fast)
        "$REDEXTER" export c "$model" --apply fastGradient "${option[@]}" --vectors "$vectors" -o "$made/${kind}_$name"
        cc $(cat $of/every.txt "$of/$kind.txt" "$of/${kind}_gcc.txt") -c -o "$made/${kind}_$name.o" "$made/${kind}_$name.c"
        objects+=("$made/${kind}_$name.o")
    done
}
for target in vector_sum:gradient dot:gradient sum_of_squares:gradient matrix_vector:jacobianByVector least_squares:gradient \
    linear_regression:gradient logistic:gradient log_sum_exp:gradient kmeans:dir mixture:gradient perceptron_deep:gradient; do
    compile "${target%:*}" "models/${target%:*}.arr:${target#*:}"
done
compile bundle benches/native/bundle.arr:blocks
cc -w -O3 -march=native -ffast-math -c -o "$made/hand.o" benches/native/hand.c
cc -std=gnu11 -O2 -I"$made" -o "$made/bench" benches/native/native.c "$made/hand.o" "${objects[@]}" -lmvec -lm
"$made/bench" "${ONLY:-}"
