import json
from dataclasses import replace

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.report.sections import solver_agreement as section
from lexiscope.report.sentences import reversed_pairs
from lexiscope.report.terminal import summary
from tests.builders import entities, seeded, synthetic_words
from tests.report.hostile_words import NAMES

WORDS = synthetic_words(240)
KINDS = np.arange(240) % 2
BOTH = {"entity_typing.classifier": ["mlp", "nearest"], "entity_typing.hidden": 20}


def _facet(seed, strength, noise):
    """One dimension encodes the type, the others are noise."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(240, 12)) * noise
    rows[:, 0] = strength * (2 * KINDS - 1) + 0.1 * rng.normal(size=240)
    return rows


def _circle(seed):
    """Tight clusters around a circle, of alternating types: only neighbours share a type."""
    group = 2 * (np.arange(240) // 2 % 20) + KINDS
    angle = 2 * np.pi * group / 40 + 0.005 * np.random.default_rng(seed).normal(size=240)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


@pytest.fixture(scope="module")
def results():
    frequency = np.where(np.arange(240) < 120, 500.0, 2.0)
    items = entities(*zip(WORDS, np.array(["a|x", "b"])[KINDS], frequency, strict=True))
    vectors = {
        "facet": embedding("facet", WORDS, _facet(0, 0.8, 1.0)),
        "circle": embedding("circle", WORDS, _circle(1)),
        "noise": seeded("noise", WORDS, 2),
    }
    return lexiscope.run(vectors, "entity_typing", [items], settings=BOTH)


def test_two_solvers_are_compared_on_the_whole_dataset_and_on_each_slice(results):
    found = results.solver_agreement

    assert [(m.task, m.dataset, m.slice, m.first, m.second) for m in found] == [
        ("entity_typing", "entities", part, "mlp", "nearest") for part in ("all", "head", "tail")
    ]
    assert {m.embeddings for m in found} == {3}


def test_a_significant_reversal_has_the_difference_of_each_solver(results):
    whole = results.solver_agreement[0]
    scores = {(r.settings["classifier"], r.embedding): r.value for r in results.main()}

    turned = {(t.winner, t.loser): t for t in whole.reversals}["facet", "circle"]

    assert turned.gain == scores["mlp", "facet"] - scores["mlp", "circle"]
    assert turned.loss == scores["nearest", "circle"] - scores["nearest", "facet"]
    assert turned.significant is True
    (reported,) = [text for text in reversed_pairs([whole]) if "facet beats circle" in text]
    assert reported == (
        f"entity_typing on entities: facet beats circle by {turned.gain:.3f} with mlp and loses "
        f"by {turned.loss:.3f} with nearest; both differences are significant."
    )


def test_reversals_on_slices_are_not_tested(results):
    turned = [turn for each in results.solver_agreement[1:] for turn in each.reversals]

    assert turned
    assert {turn.significant for turn in turned} == {None}


def test_a_reversal_is_significant_only_if_both_differences_are(results):
    none = replace(
        results, comparisons=tuple(replace(c, significant=False) for c in results.comparisons)
    )

    assert not any(turn.significant for turn in none.solver_agreement[0].reversals)
    assert all("not significant" in text for text in reversed_pairs(none.solver_agreement[:1]))


def test_the_correlation_is_spearmans_over_the_embeddings(results):
    from scipy.stats import spearmanr

    columns = [
        [r.value for r in results.main() if r.settings["classifier"] == name]
        for name in ("mlp", "nearest")
    ]

    assert results.solver_agreement[0].correlation == pytest.approx(spearmanr(*columns).statistic)


def test_page_terminal_and_json_show_the_reversals(results):
    made = section(results)
    reported = reversed_pairs(results.solver_agreement[:1])

    assert made.title == "Solver agreement"
    assert reported[0] in made.text
    assert reported[0] in summary(results)
    assert [row[1] for row in made.parts[0].rows] == ["whole dataset", "head", "tail"]
    document = json.loads(results.to_json())
    assert document["solver_agreement"][0]["reversals"][0]["winner"] in ("facet", "circle", "noise")


def test_one_solver_alone_has_no_agreement(results):
    alone = replace(results, results=tuple(r for r in results if "nearest" not in r.variant))

    assert {r.variant for r in alone} == {"entity_typing (hidden=20)"}
    assert alone.solver_agreement == []
    assert section(alone) is None


def test_solvers_are_named_by_all_settings_in_which_they_differ(results):
    other = tuple(
        replace(r, settings={**r.settings, "hidden": 5}) if "nearest" in r.variant else r
        for r in results
    )

    found = replace(results, results=other).solver_agreement[0]

    assert (found.first, found.second) == (
        "classifier=mlp, hidden=20",
        "classifier=nearest, hidden=5",
    )


def test_names_with_control_characters_are_escaped(results, tmp_path):
    names = dict(zip(results.embeddings, [*NAMES[:2], "\x1b[2J\u202e"], strict=True))
    about = [{**e, "name": names[e["name"]]} for e in results.manifest["embeddings"]]
    hostile = replace(
        results,
        results=tuple(replace(r, embedding=names[r.embedding]) for r in results),
        comparisons=(),
        coverage=(),
        disagreements=(),
        manifest={**results.manifest, "embeddings": about},
    )

    page = lexiscope.write_report(hostile, tmp_path / "r.html").read_text()

    reported = "\n".join(summary(hostile))
    assert "\x1b" not in reported
    assert "\u202e" not in reported
    assert "<script>alert" not in page
    assert "beats" in page
