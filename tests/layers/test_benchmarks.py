"""Benchmarks run rarely, so what they import from the package is checked here."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = sorted((Path(__file__).parents[2] / "benchmarks").glob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lexiscope"):
            for alias in node.names:
                yield node.module, alias.name


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_imports_only_what_exists(path):
    for module, name in imported(path):
        found = import_module(module)
        if not hasattr(found, name):
            import_module(f"{module}.{name}")
