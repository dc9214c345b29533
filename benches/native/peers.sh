#!/usr/bin/env bash
# Gradients exported as C beside C by hand, JAX, autograd, CasADi and PyTorch, in one run on one core: a table of ratios.
# Peers come from PyPI into a folder outside of the tree, VENV; one that can't be installed has a column that says so.
# REDEXTER is the program, by default that of a release build. Arguments: workloads whose titles begin so, else all.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet --bin redexter
    REDEXTER=$PWD/target/release/redexter
fi
export REDEXTER
venv=${VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/redexter/peers}
if [ ! -e "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check numpy scipy
    for peer in jax autograd casadi torch; do
        "$venv/bin/pip" install --quiet --disable-pip-version-check "$peer" || echo "$peer can't be installed" >&2
    done
fi
# One core for all of them.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
one=()
if command -v taskset >/dev/null; then one=(taskset -c 0); fi
exec "${one[@]}" "$venv/bin/python" benches/native/peers/table.py "$@"
