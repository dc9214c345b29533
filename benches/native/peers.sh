#!/usr/bin/env bash
# Gradients of the models beside JAX, autograd, CasADi, PyTorch and C by hand, as a table of ratios. The peers come from the Python
# package index, into a folder outside of this one that is kept: PEERS, by default below the user's cache. One that can't be
# installed is left out, and its column says so.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=${PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/redexter/peers}

if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet --bin redexter
    REDEXTER=target/release/redexter
fi
if [ ! -x "$peers/bin/python" ]; then
    python3 -m venv "$peers"
    "$peers/bin/pip" install --quiet numpy
    for package in jax autograd casadi torch; do
        "$peers/bin/pip" install --quiet "$package" || echo "$package can't be installed" >&2
    done
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
cc -w -O3 -march=native -ffast-math -shared -fPIC -o "$made/hand.so" benches/native/hand.c -lm
pin=()
command -v taskset > /dev/null && pin=(taskset -c 0)
REDEXTER=$REDEXTER HAND=$made/hand.so "${pin[@]}" "$peers/bin/python" benches/native/peers.py
