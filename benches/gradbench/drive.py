#!/usr/bin/env python3
"""Whole runs of GradBench's evals, sent to `redexter gradbench` as the suite sends them: random inputs over its ranges of
sizes (their ends, and powers of two between). For each function it prints the sum, over all sizes, of the mean time of a
run, and the tool's peak memory at the end.

    benches/gradbench/drive.py [--seconds S] [llsq lse kmeans gmm ba]

REDEXTER is the program, by default that of a release build. --seconds says until when runs of one size add up (1, as in the
suite). --each prints the sizes one by one. It ends with 1 where something wasn't answered, or took more than 4 GB.
"""
import argparse
import json
import os
import random
import subprocess
import sys

MOST = 4 << 30


def between(first, last):
    """Both ends, and the powers of two between."""
    powers = (1 << k for k in range(64))
    return [first, *(n for n in powers if first < n < last), last]


def reals(n):
    return [random.gauss(0, 1) for _ in range(n)]


def matrix(n, m):
    return [reals(m) for _ in range(n)]


def llsq():
    for n in between(16, 16392):
        yield f"n={n}", {"x": reals(128), "n": n}


def lse():
    for n in between(2500, 1280000):
        yield f"n={n}", {"x": [100 * x for x in reals(n)]}


def kmeans():
    for d in (8, 16):
        for n in between(1000, 10000):
            for k in between(10, 1000):
                if k > n:
                    continue
                points = matrix(n, d)
                yield f"d={d},n={n},k={k}", {"points": points, "centroids": random.sample(points, k)}


def gmm():
    n = 1000
    for d in between(2, 64):
        for k in between(5, 100):
            yield f"d={d},k={k}", {
                "d": d, "k": k, "n": n, "x": matrix(n, d), "m": 0, "gamma": 1.0, "alpha": reals(k), "mu": matrix(k, d),
                "q": [[0.1 * x for x in row] for row in matrix(k, d)],
                "l": [[0.1 * x for x in row] for row in matrix(k, d * (d - 1) // 2)],
            }


def ba():
    for n, m, p in ((49, 7776, 31843), (372, 47423, 204472)):
        yield f"n={n},m={m},p={p}", {"n": n, "m": m, "p": p, "cam": reals(11), "x": reals(3), "w": 0.8, "feat": reals(2)}


EVALS = {
    "llsq": (llsq, ("primal", "gradient")),
    "lse": (lse, ("primal", "gradient")),
    "kmeans": (kmeans, ("cost", "dir")),
    "gmm": (gmm, ("objective", "jacobian")),
    "ba": (ba, ("objective", "jacobian")),
}


class Tool:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "gradbench"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0

    def ask(self, message):
        message["id"] = self.number
        self.number += 1
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "no answer"}
        if "error" in answer or answer.get("id") != message["id"]:
            sys.exit(f"{answer.get('error', 'another id')}")
        return answer

    def end(self):
        self.process.stdin.close()
        _, _, usage = os.wait4(self.process.pid, 0)
        return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--each", action="store_true")
    parser.add_argument("evals", nargs="*", default=["llsq", "lse", "kmeans", "gmm", "ba"], metavar="eval")
    options = parser.parse_args()
    program = os.environ.get("REDEXTER", "target/release/redexter")
    most = 0
    for name in options.evals:
        inputs, functions = EVALS[name]
        random.seed(1)
        tool = Tool(program)
        tool.ask({"kind": "start", "eval": name})
        tool.ask({"kind": "define", "module": name})
        totals, count = dict.fromkeys(functions, 0.0), 0
        for description, data in inputs():
            count += 1
            for function in functions:
                message = {"kind": "evaluate", "module": name, "function": function, "description": description}
                answer = tool.ask({**message, "input": {**data, "min_runs": 1, "min_seconds": options.seconds}})
                times = [t["nanoseconds"] * 1e-9 for t in answer["timings"]]
                mean = sum(times) / len(times)
                totals[function] += mean
                if options.each:
                    print(f"  {name} {function} {description}: {mean:.3e} s, {len(times)} runs", flush=True)
        peak = tool.end()
        most = max(most, peak)
        sums = ", ".join(f"{function} {total:.4g} s" for function, total in totals.items())
        print(f"{name:7} {count:3} sizes: {sums}; {peak / 1e6:.0f} MB", flush=True)
    if most > MOST:
        sys.exit(f"more than {MOST} bytes")


if __name__ == "__main__":
    main()
