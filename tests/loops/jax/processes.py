"""Runs exported functions over the devices of two processes, and holds the results against those of one device."""

import json
import os
import socket
import subprocess
import sys

WAIT = 300


def one(number, port, cases):
    import jax
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    jax.distributed.initialize(coordinator_address=f"localhost:{port}", num_processes=2, process_id=number)
    assert len(jax.devices()) == 2 * len(jax.local_devices())
    for case in json.load(open(cases)):
        scope = {}
        exec(compile(case["module"], case["name"], "exec"), scope)
        drawn = np.random.default_rng(7)
        given = [0.5 * drawn.normal(size=shape) for shape in case["shapes"]]
        mesh = jax.make_mesh((len(jax.devices()),), ("n",))
        found = scope["sharded"](mesh)(*given)
        expected = jax.jit(scope["gradient"])(*given)
        for own, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            error = np.max(np.abs(np.asarray(own.addressable_data(0)) - other)) / np.max(np.abs(other))
            assert own.shape == other.shape and error < 1e-11, f"{case['name']}: {error}"


def main():
    if len(sys.argv) > 2:
        return one(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    workers = []
    for number in range(2):
        line = [sys.executable, __file__, str(number), str(port), sys.argv[1]]
        workers.append(subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ))
    try:
        said = [worker.communicate(timeout=WAIT)[0] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
    if any(worker.returncode for worker in workers):
        sys.exit("\n".join(said))
    print("all agree")


main()
