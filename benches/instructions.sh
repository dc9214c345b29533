#!/usr/bin/env bash
# Instructions per rewrite, counted by valgrind: on each workload of tests/support/workloads.rs, under each of its
# strategies, at the sizes that are given. A run's cost is the difference between two runs in one process and one.
# Takes minutes for sizes of 100,000. See benches/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
sizes=("${@:-1000}")

command -v valgrind >/dev/null || { apt-get update -q && apt-get install -y -q valgrind; } >/dev/null
cargo build --release --locked --quiet --bench instructions
bench=$(cargo build --release --locked --quiet --bench instructions --message-format=json |
    grep -o '"executable":"[^"]*instructions[^"]*"' | cut -d '"' -f 4)

# Instructions of so many runs.
counted() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$@" 2>&1 | awk '/Collected/ { print $4 }'
}

printf '%-26s %-10s %8s %10s %s\n' workload strategy k rewrites 'instructions per rewrite'
for workload in 'map chain' 'map chain, substituted' 'wide tree' 'let chain' 'polynomial' 'far ends'; do
    for strategy in normalize innermost mu; do
        for size in "${sizes[@]}"; do
            rewrites=$("$bench" "$workload" "$strategy" "$size" 1 | awk '{ print $3 }')
            once=$(counted "$workload" "$strategy" "$size" 1)
            twice=$(counted "$workload" "$strategy" "$size" 2)
            printf '%-26s %-10s %8s %10s %s\n' "$workload" "$strategy" "$size" "$rewrites" $(((twice - once) / rewrites))
        done
    done
done
