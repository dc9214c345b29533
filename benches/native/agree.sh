#!/usr/bin/env bash
# Whether `redexter bench` says what a loop by hand measures: three exported gradients, timed both ways in turn, ROUNDS times (11).
# Of each round's medians the difference in percent, of which the median stands with the quarters and the ends. The loop's arrays begin
# where 64 bytes begin, as those of `redexter bench`; beside them, where malloc places them.
# REDEXTER is the program, by default that of a release build.
set -euo pipefail
cd "$(dirname "$0")/../.."

. benches/native/start.sh
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
cases=(linear_regression:gradient:1000 matrix_vector:jacobianByVector:300 sum_of_squares:gradient:50000)
for case in "${cases[@]}"; do
    IFS=: read -r model name size <<<"$case"
    "$REDEXTER" export c "models/$model.arr:$name" --apply fastGradient --vectors "$vectors" -o "$made/$model"
    cc $(cat $of/every.txt $of/exact.txt $of/exact_gcc.txt) -c -o "$made/$model.o" "$made/$model.c"
done
cc -std=gnu11 -O2 -I"$made" -o "$made/agree" benches/native/agree.c "$made"/*.o -lm

for ((round = 0; round < ${ROUNDS:-11}; round++)); do
    for case in "${cases[@]}"; do
        IFS=: read -r model name size <<<"$case"
        other=()
        [ "$model" = matrix_vector ] && other=(--size "m=$size")
        [ "$model" = linear_regression ] && other=(--size d=100)
        "$REDEXTER" bench "models/$model.arr:$name" --apply fastGradient --sizes "n=$size" "${other[@]}" --seconds 0.4 \
            --csv "$made/times.csv" >/dev/null 2>&1
        read -r lines malloc < <("$made/agree" "$model" "$size" 0.4)
        echo "$model $(cut -d, -f4 "$made/times.csv" | tail -1) $lines $malloc"
    done
done >"$made/rounds"

printf '%-20s %12s %12s %12s   %-34s %s\n' "nanoseconds" bench "by hand" malloc "bench to hand, % (quarters, ends)" "to malloc"
for case in "${cases[@]}"; do
    model=${case%%:*}
    column() { awk -v model="$model" "\$1 == model { print $1 }" "$made/rounds" | sort -g; }
    at() { awk -v part="$1" '{ all[NR] = $1 } END { print all[1 + int((NR - 1) * part + 0.5)] }'; }
    hand=$(column '100 * ($2 / $3 - 1)')
    printf '%-20s %12.0f %12.0f %12.0f   %+5.1f  (%+.1f … %+.1f, %+.1f … %+.1f)   %+5.1f\n' "$model" \
        "$(column '$2' | at 0.5)" "$(column '$3' | at 0.5)" "$(column '$4' | at 0.5)" "$(at 0.5 <<<"$hand")" \
        "$(at 0.25 <<<"$hand")" "$(at 0.75 <<<"$hand")" "$(at 0 <<<"$hand")" "$(at 1 <<<"$hand")" \
        "$(column '100 * ($2 / $4 - 1)' | at 0.5)"
done
