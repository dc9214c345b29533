"""What tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder, which is the current one."""
    monkeypatch.chdir(ROOT)
    return ROOT
