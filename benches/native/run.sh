#!/usr/bin/env bash
# Exported gradients, after the general schedule, beside C by hand (hand.c): least times of interleaved repetitions on one core.
# Exported code is compiled as `eval --native` does it, with -march=native; that by hand with
# -ffast-math. REDEXTER is the program, by default that of a release build.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet --bin redexter
    REDEXTER=target/release/redexter
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
sources=()
for target in vector_sum:gradient dot:gradient sum_of_squares:gradient matrix_vector:jacobianByVector least_squares:gradient \
    linear_regression:gradient logistic:gradient log_sum_exp:gradient kmeans:dir mixture:gradient; do
    model=${target%:*}
    "$REDEXTER" export c "models/$model.arr:${target#*:}" --apply fastGradient -o "$made/$model"
    sources+=("$made/$model.c")
done
exact=(-std=c11 -w -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math)
for source in "${sources[@]}"; do
    cc "${exact[@]}" -c -o "$source.o" "$source"
done
cc -w -O3 -march=native -ffast-math -c -o "$made/hand.o" benches/native/hand.c
cc -std=gnu11 -O2 -I"$made" -o "$made/bench" benches/native/native.c "$made"/*.o -lm
"$made/bench"
