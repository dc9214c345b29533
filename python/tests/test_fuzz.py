"""Any call with any arguments gives a value or an exception: no panic, no crash, no exception of another kind.

Calls follow from a seed. They run in a process of their own, so that one that ends it is found, with its number.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CALLS = 20_000


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_calls(seed: int) -> None:
    script = Path(__file__).parent / "fuzz.py"
    count = CALLS // 4
    done = subprocess.run([sys.executable, str(script), str(seed), str(count)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.splitlines()[-1].startswith(f"{count} calls")
