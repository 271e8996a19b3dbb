"""The table of models in docs/curves.md."""

from pathlib import Path

import pytest

from lexiscope.core.contracts.learner import Learner
from lexiscope.core.contracts.registry import load, names
from lexiscope.learners import models

PAGE = Path(__file__).parents[3] / "docs" / "curves.md"


@pytest.mark.parametrize("name", names(models))
def test_every_model_is_in_the_table_with_its_class_and_fallback(name):
    model = load(models, name, Learner)
    rows = [line.split("|") for line in PAGE.read_text("utf-8").splitlines() if line[:1] == "|"]
    (row,) = (row for row in rows if f"`{name}`" in row[1])
    fallback = next(iter(model.fallback.values()), "")

    cells = [cell.strip().strip("`") for cell in row[2:5]]

    assert cells == [", ".join(model.families), model.complexity, fallback]
