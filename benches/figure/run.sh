#!/usr/bin/env bash
# The paper's figure: the gradient of a sum for vectors of 2,500 to 50,000 elements. The first plot has the program as it is, after
# the schedule, and dual numbers by hand, in C and, where `futhark` is on the PATH, in Futhark; the second one the scheduled
# program alone. Loops run as they are written: nothing of what is compared is the compiler's doing. It takes about a minute.
#
#   benches/figure/run.sh [FOLDER]     writes figure.svg, figure-optimised.svg and their CSV there (docs, unless given)
set -euo pipefail
cd "$(dirname "$0")/../.."
to=${1:-docs}
sizes=2500,5000,10000,20000,30000,40000,50000

if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet --bin redexter
    REDEXTER=target/release/redexter
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

echo "dual numbers by hand, in C" >&2
"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=199309L -O3 -ffp-contract=off -o "$made/dual" benches/figure/dual.c
"$made/dual" ${sizes//,/ } > "$made/c.csv"
with=(--with "$made/c.csv")

if command -v futhark > /dev/null; then
    echo "dual numbers by hand, in Futhark" >&2
    cp benches/figure/dual.fut "$made/dual-futhark.fut"
    futhark c "$made/dual-futhark.fut"
    echo "program,size,runs,median_ns" > "$made/futhark.csv"
    for n in ${sizes//,/ }; do
        echo "$n" | "$made/dual-futhark" --runs 3 --write-runtime-to "$made/times" > /dev/null
        echo "dual numbers by hand in Futhark,$n,3,$(sort -n "$made/times" | sed -n 2p)000" >> "$made/futhark.csv"
    done
    with+=(--with "$made/futhark.csv")
else
    echo "there is no futhark on the PATH: its curve is left out" >&2
fi

# The second plot is of the same measurement: its CSV has the one program alone.
"$REDEXTER" bench models/benchmark.arr:main --apply fastGradient --as-written --sizes n=$sizes \
    --csv "$to/figure-optimised.csv" --svg "$to/figure-optimised.svg"
"$REDEXTER" bench models/benchmark.arr:main --apply id --as-written --sizes n=$sizes --seconds 0 \
    --with "$to/figure-optimised.csv" "${with[@]}" --csv "$to/figure.csv" --svg "$to/figure.svg"
