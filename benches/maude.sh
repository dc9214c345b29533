#!/usr/bin/env bash
# The map chain, side by side in one run: Maude's equations (its own fixed order; installed from Debian's packages where it
# is missing), once with beta by let and once by substitution, and this project's engine. See benches/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
size="${1:-1000}"

command -v maude >/dev/null || { apt-get update -q && apt-get install -y -q maude; } >/dev/null
for beta in BY-LET BY-SUBSTITUTION; do
    echo "Maude, $beta, k = $size:"
    printf 'load benches/map_chain.maude\nred in %s : nodes(chain(%s, var(0))) .\n' "$beta" "$size" |
        maude -no-banner | grep '^rewrites'
done
cargo bench --bench engine -- "^map chain.*/(normalize|innermost)/$size\$"
