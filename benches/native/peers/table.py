"""One table: what redexter's C takes with --fast, and how many times as long its exact code, C by hand and each peer take, on
one core.

Repetitions are interleaved and the least time of each counts; the first round, in which peers compile, doesn't.
"""

import argparse
import importlib
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

import native
import workloads

PEERS = {"JAX": ("jax", "in_jax"), "autograd": ("autograd", "in_autograd"), "CasADi": ("casadi", "in_casadi"), "PyTorch": ("torch", "in_torch")}
ROUNDS, SECONDS = (3, 500), 1.5
FAR = 1e-8


def flat(result):
    parts = result if isinstance(result, (list, tuple)) else [result]
    return np.concatenate([np.asarray(part, float).ravel() for part in parts])


def apart(found, expected):
    if found.shape != expected.shape:
        return np.inf
    return float(np.max(np.abs(found - expected) / np.maximum(1, np.abs(expected))))


def times(calls):
    """The least time of each, in seconds, after a round that isn't counted."""
    best, begun, rounds = dict.fromkeys(calls, np.inf), time.perf_counter(), 0
    while rounds < ROUNDS[0] or (rounds < ROUNDS[1] and time.perf_counter() - begun < SECONDS * len(calls)):
        for name, call in calls.items():
            start = time.perf_counter_ns()
            call()
            best[name] = min(best[name], (time.perf_counter_ns() - start) / 1e9)
        rounds += 1
    return best


def known(workload, found):
    """Of the mixture's factors what lies below the diagonal counts."""
    if workload.kind == "mixture":
        *first, factors = found
        return [*first, np.tril(np.asarray(factors, float), -1)]
    return found


def line(workload, peers, hand, folder):
    calls = {kind: native.redexter(workload, folder, kind) for kind in native.KINDS}
    calls["by hand"] = native.by_hand(workload, hand)
    for name, peer in peers.items():
        if peer is not None and (call := peer.make(workload)):
            calls[name] = call
    expected = flat(known(workload, calls["by hand"]()))
    notes = []
    for name in list(calls):
        if (off := apart(flat(known(workload, calls[name]())), expected)) > FAR:
            notes.append(f"{workload.title}: {name} is apart from C by hand by {off:.1e}")
    best = times(calls)
    ours = best["fast"]
    cells = [f"{best[name] / ours:.2f}" if name in best else "-" for name in ("exact", "by hand", *PEERS)]
    return f"| {workload.title} | {1e6 * ours:,.1f} | " + " | ".join(cells) + " |", notes


def installed():
    peers, heads = {}, []
    for name, (package, module) in PEERS.items():
        try:
            peers[name] = importlib.import_module(module)
            heads.append(f"{name} {version(package)}")
        except Exception as wrong:  # whatever it is, its column says so
            peers[name] = None
            print(f"{name} can't be used: {str(wrong).splitlines()[0]}", file=sys.stderr)
            heads.append(f"{name} (not installed)")
    return peers, heads


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="workloads whose titles begin so")
    only = parser.parse_args().only
    peers, heads = installed()
    print(f"| workload | redexter --fast, µs | exact | C by hand | {' | '.join(heads)} |")
    print("|---" * (4 + len(heads)) + "|")
    notes = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "hand.c"
        copy.write_text((native.HERE.parent / "hand.c").read_text())
        hand = native.compiled(copy, native.FAST)
        for workload in workloads.all_of_them():
            if not only or any(workload.title.startswith(word) for word in only):
                text, wrong = line(workload, peers, hand, folder)
                print(text, flush=True)
                notes += wrong
    for note in notes:
        print(f"\n{note}")


if __name__ == "__main__":
    main()
