"""The notebook of the documentation runs, and what objects show in it is what it should be."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import redexter

ROOT = Path(__file__).resolve().parents[2]


def shown(cell: Any) -> list[str]:
    """The HTML of a cell's outputs."""
    return [output["data"]["text/html"] for output in cell.outputs if "text/html" in output.get("data", {})]


def test_the_notebook_runs(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="there is no Jupyter")
    nbclient = pytest.importorskip("nbclient", reason="there is no Jupyter")
    for needed in ("ipykernel", "scipy", "matplotlib"):
        pytest.importorskip(needed, reason=f"there is no {needed}")
    notebook = nbformat.read(ROOT / "docs/mixture.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs aren't kept"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    found = {cell.source.splitlines()[0]: cell for cell in notebook.cells if cell.cell_type == "code"}
    assert "srcdoc" in shown(found['derivation = mixture.gradient.apply("fastGradient")'])[0]
    assert shown(found["derivation.plot()"])[0].startswith("<svg")
    assert "real * array k real" in shown(found["mixture"])[0]
    assert "iterations" in found["from scipy.optimize import check_grad, minimize"].outputs[0]["text"]
    assert any("image/png" in output.get("data", {}) for output in found["%matplotlib inline"].outputs)
    assert "`m` has 3 elements, which contradicts" in found["try:"].outputs[0]["text"]


def test_pages_begin_in_a_browser(tmp_path: Path) -> None:
    """In Chromium each frame's viewer begins; `frame.mjs` says what it looks for, and that it was skipped where there is no browser."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    model = redexter.load("models/vector_sum.arr")
    one, other = model.gradient.apply("fastGradient"), model.gradient.apply("id")
    document = tmp_path / "notebook.html"
    document.write_text(f"<title>notebook</title><body>{one._repr_html_()}{one.compare(other)._repr_html_()}{model.gradient._repr_html_()}")
    done = subprocess.run([node, str(ROOT / "python/tests/frame.mjs"), str(document)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_magics() -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell", reason="there is no IPython").InteractiveShell()
    shell.run_line_magic("load_ext", "redexter")
    shell.run_cell_magic("arr", "", "def twice (x : real) : real := x + x\ndef half {n} (f : array n real -> real) (v : array n real) : array n real := grad f v\n")
    assert shell.user_ns["twice"](2.0) == 4.0 and "half" not in shell.user_ns
    shell.run_cell_magic("arr", "own", "def twice (x : real) : real := x * 2")
    assert isinstance(shell.user_ns["own"], redexter.Model)
    shell.run_cell_magic("strat", "", "strategy fromCell = topDown(beta);\n")
    assert str(redexter.strategy("fromCell")) == "fromCell"
    for line, cell in (("1x", "def f (x : real) : real := x"), ("", "def f (x : real) : real := y")):
        with pytest.raises(redexter.RedexterError):
            shell.run_cell_magic("arr", line, cell)
    with pytest.raises(redexter.RedexterError, match="nothing behind it"):
        shell.run_cell_magic("strat", "x", "strategy s = id;")


def test_text_is_no_markup() -> None:
    model = redexter.load("-- <script>alert(1)</script>\ndef f {n} (v : array n real) : array n real := build n (fun i => if v[i] < 1 then 0 else 1)\n")
    for block in (model.f._repr_html_(), model._repr_html_(), redexter.strategy("at(`a < b`, id)")._repr_html_()):
        body = block.split("</style>")[1]
        assert set(re.findall(r"<(/?\w+)", body)) <= {"pre", "/pre", "span", "/span"} and "&lt;" in block
    page = model.f.apply("id")._repr_html_()
    assert re.findall(r"<(/?\w+)", page.split("srcdoc=")[0] + page.split('"></iframe>')[1]) == ["iframe"]
    assert 'sandbox="allow-scripts"' in page and "<script>alert" not in html.unescape(page)
    inner = html.unescape(page.split('srcdoc="')[1].rsplit('"></iframe>', 1)[0])
    assert "Content-Security-Policy" in inner and inner == str(model.f.apply("id").page())


def test_of_a_long_derivation_the_stages_are_shown() -> None:
    derivation = redexter.load("models/lstm.arr").gradient.apply("fastGradient")
    shown = derivation._repr_html_()
    assert len(derivation) > 1_500 and "reverseMode" in shown and "<iframe" not in shown and len(shown) < 20_000
