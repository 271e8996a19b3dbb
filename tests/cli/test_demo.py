"""The demo on vectors that stand for the downloaded ones."""

import numpy as np
import pytest

import lexiscope
from lexiscope.cli.commands import demo
from lexiscope.core.embedding import embedding
from tests.builders import word_pairs


@pytest.fixture
def shown(folder, monkeypatch, capsys):
    """What the demo prints for two embeddings, of which the second is significantly better."""
    rng = np.random.default_rng(3)
    good = rng.normal(size=(len(demo._MAP), 12))
    unit = good / np.linalg.norm(good, axis=1, keepdims=True)
    rated = [
        (demo._MAP[a], demo._MAP[b], float(unit[a] @ unit[b]))
        for a in range(len(good)) for b in range(a)
    ]  # fmt: skip
    for name, vectors in (("noise", rng.normal(size=good.shape)), ("good", good)):
        lexiscope.save(embedding(name, demo._MAP, vectors), folder / f"{name}.vec")
    sources = {"noise": "noise.vec", "good": "good.vec"}
    monkeypatch.setattr(demo, "_real", lambda _: (sources, [word_pairs(*rated)], []))
    assert demo.command.main([], standalone_mode=False) == 0
    return capsys.readouterr()


def test_the_demo_draws_every_word_of_the_recommended_embedding(shown, folder):
    drawn = (folder / "demo" / "words.svg").read_text("utf-8")
    page = (folder / "demo" / "report.html").read_text("utf-8")

    assert "Use good" in shown.out
    assert f"Map of {len(demo._MAP)} words of good" in shown.err
    assert all(f'opacity="1">{word}</text>' in drawn for word in demo._MAP)
    assert "<h2>Words on a plane</h2>" in page
    assert page.index("Words on a plane</h2>") < page.index("Details</h2>")


def test_the_demo_ends_with_one_grid_and_the_verdict(shown):
    lines = shown.out.rstrip().split("\n")

    assert len(lines) < 20
    assert lines[0].split() == ["dataset", "good", "noise"]
    assert "Use good" in " ".join(lines[-4:])
