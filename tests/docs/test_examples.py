"""Examples in docstrings run, and everything public is documented."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import lexiscope

SOURCE = Path(lexiscope.__file__).parent
WITH_EXAMPLES = sorted(
    ".".join(("lexiscope", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    for path in SOURCE.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)
PUBLIC = [name for name in lexiscope.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)

    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_an_example(name):
    documented = inspect.getdoc(getattr(lexiscope, name)) or ""

    assert ">>> " in documented


@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if inspect.isfunction(getattr(lexiscope, name))]
)
def test_every_public_function_documents_its_parameters_and_its_value(name):
    function = getattr(lexiscope, name)
    documented = inspect.getdoc(function) or ""

    assert "Parameters\n----------" in documented
    assert "Returns\n-------" in documented
    for parameter in inspect.signature(function).parameters.values():
        assert (
            f"\n{'**' if parameter.kind is parameter.VAR_KEYWORD else ''}{parameter.name}"
            in (documented.partition("Parameters\n----------")[2])
        ), parameter.name
