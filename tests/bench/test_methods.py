import json
from dataclasses import replace

import numpy as np
import pytest

import lexiscope
from lexiscope.bench.methods import methods
from lexiscope.core.embedding import embedding
from lexiscope.report.sections import methods as section
from lexiscope.report.terminal import summary
from lexiscope.report.wording import reversed_pairs
from tests.making import entities, seeded, synthetic_words
from tests.report.hostile_words import NAMES

WORDS = synthetic_words(240)
KINDS = np.arange(240) % 2
BOTH = {"typing.classifier": ["mlp", "nearest"], "typing.hidden": 20}


def _facet(seed, strength, noise):
    """One dimension tells the type, many others tell nothing: a matter of subspaces."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(240, 12)) * noise
    rows[:, 0] = strength * (2 * KINDS - 1) + 0.1 * rng.normal(size=240)
    return rows


def _circle(seed):
    """Tight groups around a circle, their types taking turns: only neighbours tell."""
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
    return lexiscope.run(vectors, "typing", [items], settings=BOTH)


def test_two_ways_to_ask_are_compared_on_the_whole_and_on_each_slice(results):
    found = methods(results)

    assert [(m.task, m.dataset, m.slice, m.first, m.second) for m in found] == [
        ("typing", "entities", part, "mlp", "nearest") for part in ("all", "head", "tail")
    ]
    assert {m.embeddings for m in found} == {3}


def test_a_real_reversal_is_told_with_the_gap_under_each_method(results):
    whole = methods(results)[0]
    scores = {(r.settings["classifier"], r.embedding): r.value for r in results.main()}

    turned = {(t.winner, t.loser): t for t in whole.turned}["facet", "circle"]

    assert turned.gain == scores["mlp", "facet"] - scores["mlp", "circle"]
    assert turned.loss == scores["nearest", "circle"] - scores["nearest", "facet"]
    assert turned.real is True
    (told,) = [text for text in reversed_pairs([whole]) if "facet beats circle" in text]
    assert told == (
        f"typing on entities: facet beats circle by {turned.gain:.3f} under mlp and loses by "
        f"{turned.loss:.3f} under nearest; both are real."
    )


def test_parts_were_not_tested_so_nothing_is_called_real_there(results):
    turned = [turn for each in methods(results)[1:] for turn in each.turned]

    assert turned
    assert {turn.real for turn in turned} == {None}


def test_without_real_differences_a_reversal_may_be_chance(results):
    none = replace(results, comparisons=tuple(replace(c, real=False) for c in results.comparisons))

    assert not any(turn.real for turn in methods(none)[0].turned)
    assert all("this may be chance" in text for text in reversed_pairs(methods(none)[:1]))


def test_the_correlation_is_spearmans_over_the_embeddings(results):
    from scipy.stats import spearmanr

    columns = [
        [r.value for r in results.main() if r.settings["classifier"] == name]
        for name in ("mlp", "nearest")
    ]

    assert methods(results)[0].correlation == pytest.approx(spearmanr(*columns).statistic)


def test_page_terminal_and_json_tell_the_reversals(results):
    made = section(results)
    told = reversed_pairs(methods(results)[:1])

    assert made.title == "Do the methods agree?"
    assert told[0] in made.text
    assert told[0] in summary(results)
    assert [row[1] for row in made.parts[0].rows] == ["whole", "head", "tail"]
    document = json.loads(results.to_json())
    assert document["methods"][0]["turned"][0]["winner"] in ("facet", "circle", "noise")


def test_one_way_to_ask_has_nobody_to_agree_with(results):
    alone = replace(results, results=tuple(r for r in results if "nearest" not in r.variant))

    assert {r.variant for r in alone} == {"typing (hidden=20)"}
    assert methods(alone) == []
    assert section(alone) is None


def test_ways_that_differ_in_several_settings_are_named_by_all_of_them(results):
    other = tuple(
        replace(r, settings={**r.settings, "hidden": 5}) if "nearest" in r.variant else r
        for r in results
    )

    found = methods(replace(results, results=other))[0]

    assert (found.first, found.second) == (
        "classifier=mlp, hidden=20",
        "classifier=nearest, hidden=5",
    )


def test_names_cannot_steer_the_terminal_or_the_page(results, tmp_path):
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

    told = "\n".join(summary(hostile))
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "<script>alert" not in page
    assert "beats" in page
