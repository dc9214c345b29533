"""Runs the command line: `python -m redexter` is `redexter`."""

from __future__ import annotations

import sys

from redexter import _redexter


def main() -> int:
    """Runs what the arguments of this process ask for, and gives the exit code."""
    return _redexter.main(["redexter", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
