import re
from pathlib import Path

import numpy as np
import pytest

from lexiscope.core.corpus import sentences_of
from lexiscope.pcfg import reader as grammars
from lexiscope.pcfg.sampling import sample

PAGE = (Path(__file__).parents[2] / "docs" / "grammars.md").read_text("utf-8")


def test_the_example_of_the_page_is_a_grammar_of_ten_lines(tmp_path):
    [text] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mine.toml").write_text(text, "utf-8")

    grammar = grammars.read(tmp_path / "mine.toml")
    said = {tuple(s) for s in sentences_of(sample(grammar, 2_000, np.random.default_rng(0)))}

    assert len(text.splitlines()) == 10
    assert ("the", "cat3", "runs") in said
    assert {words[2] for words in said if words[1].startswith("dog")} == {"barks", "runs"}
    assert set(grammar.target.held_out) == {"cat8", "cat9", "dog8", "dog9"}


@pytest.mark.parametrize("name", grammars.names())
def test_every_grammar_is_on_the_page(name):
    assert f"| `{name}` |" in PAGE


def test_the_python_of_the_page_runs():
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found = {}

    exec(code, found)

    assert found["corpus"].sentences == 100_000
    assert found["grammar"].parameters["beta"] == pytest.approx(2**-1.3)
