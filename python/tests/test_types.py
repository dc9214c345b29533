"""Types are those that the stubs say, and a type checker says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="there is no mypy")

ROOT = Path(__file__).resolve().parents[2]


def checked(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT / "python/tests", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_a_program_are_typed() -> None:
    checked("mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "redexter")
    checked("mypy", "--config-file", str(ROOT / "pyproject.toml"), "typed.py")


def test_stubs_say_what_is_there() -> None:
    checked("mypy.stubtest", "redexter", "--mypy-config-file", str(ROOT / "pyproject.toml"), "--allowlist", "stubtest.txt")
