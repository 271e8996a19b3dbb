"""The recommendation, read aloud, for embeddings whose true order is known."""

from dataclasses import replace
from html import escape
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.report.notebook import html
from lexiscope.report.page import page
from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.sections import scores, verdict
from lexiscope.report.terminal import summary, table
from tests.report.constructed import (
    BAD,
    GOOD,
    LESS,
    PAIRS,
    REVERSED,
    TINY,
    TRUE,
    WORDS,
    evaluated,
    noisy,
)


@pytest.fixture(scope="module")
def tiny():
    """A good and a bad embedding, and one that covers 5 of 150 items."""
    return evaluated(GOOD, BAD, TINY)


def test_an_embedding_with_5_of_150_items_is_never_recommended(tiny):
    assert recommendation_sentences(tiny) == (
        "Use good: it is significantly better than bad on 1 of 1 dataset and worse on none "
        "(150 shared items).",
        "Not known: how tiny compares (covers 5 of 150 items of pairs).",
    )


def test_one_embedding_and_5_items_give_no_recommendation():
    assert recommendation_sentences(evaluated(GOOD, TINY)) == (
        "No recommendation: only good covers at least 50 % of the items of every dataset.",
        "Not known: how tiny compares (covers 5 of 150 items of pairs).",
    )


def test_a_tiny_third_embedding_does_not_change_what_is_said_about_two_others(tiny):
    two = evaluated(GOOD, BAD)

    assert recommendation_sentences(tiny)[0] == recommendation_sentences(two)[0]
    assert recommendation_sentences(two)[1] == (
        "Nothing is undecided: good is significantly different from every other embedding, or "
        "equivalent within ±0.05, on every dataset."
    )


def test_two_embeddings_without_a_significant_difference_are_undecided():
    other = noisy("other", 0.3, seed=7)

    what, unknown = recommendation_sentences(evaluated(GOOD, other, BAD))

    assert what == (
        "Undecided between good and other: no difference between them is significant on pairs "
        "(150 shared items); bad is significantly worse than another embedding."
    )
    assert unknown.startswith(
        "Not known: which of good and other is better on pairs: not significantly different "
        "(150 items) and not shown to be equivalent within ±0.05; a true difference of up to 0.0"
    )
    assert unknown.endswith("may remain undetected on pairs (80 % power at the corrected level).")


def test_equivalence_needs_the_equivalence_test():
    noise = np.random.default_rng(5).normal(size=TRUE.shape)
    near = embedding("near", WORDS, GOOD.vectors + 0.01 * noise)

    wide = evaluated(GOOD, near, BAD)
    narrow = evaluated(GOOD, near, BAD, decision=lexiscope.DecisionRule(margin=1e-6))

    assert recommendation_sentences(wide) == (
        "Use good or near: they are equivalent within ±0.05 on pairs (150 shared items), and each "
        "is significantly better than bad.",
        "Nothing is undecided: every two of these embeddings are significantly different, or "
        "equivalent within ±0.05, on every dataset.",
    )
    assert recommendation_sentences(narrow)[0].startswith("Undecided between good and near")
    assert "not shown to be equivalent within ±1e-06" in recommendation_sentences(narrow)[1]


def test_a_significant_difference_within_the_margin_is_said_to_be_small():
    results = evaluated(GOOD, BAD, decision=lexiscope.DecisionRule(margin=1.5))

    assert results.recommendation.kind == "use"
    assert recommendation_sentences(results)[0].endswith(
        "(150 shared items), but every significant difference is within ±1.5."
    )


def test_embeddings_that_are_not_comparable_have_no_evidence():
    results = evaluated(GOOD, BAD)
    untested = replace(
        results.comparisons[0], p=None, difference=None, significant=False, outcome="undecided",
        state="4 and 8 dimensions",
    )  # fmt: skip

    assert recommendation_sentences(replace(results, comparisons=(untested,))) == (
        "No recommendation: no two embeddings were tested on enough shared items.",
        "Not known: the difference between good and bad on pairs (4 and 8 dimensions).",
    )


def test_datasets_that_disagree_leave_the_choice_to_the_reader():
    mirrored = evaluated(GOOD, BAD, datasets=[PAIRS, REVERSED])

    assert recommendation_sentences(mirrored) == (
        "The choice depends on the dataset: good is significantly better than bad on pairs and "
        "worse on reversed (150 shared items).",
        "Nothing is undecided: every two of these embeddings are significantly different, or "
        "equivalent within ±0.05, on every dataset.",
    )


def test_the_dataset_that_matters_decides():
    rule = lexiscope.DecisionRule(primary={"reversed": 2.0, "pairs": 1.0})

    what, _ = recommendation_sentences(
        evaluated(GOOD, BAD, datasets=[PAIRS, REVERSED], decision=rule)
    )

    assert what == (
        "Use bad: it is significantly better than good on datasets of weight 2 of 3 and worse on "
        "weight 1 (150 shared items; decided by reversed and pairs)."
    )


def test_a_dataset_has_one_vote_whatever_the_number_of_tasks():
    both = evaluated(GOOD, BAD, datasets=[PAIRS], tasks=["similarity", "ranking"])

    assert "on 1 of 1 dataset and" in recommendation_sentences(both)[0]


def test_many_embeddings_are_counted():
    worse = [noisy(f"worse {k}", 3.0, seed=k) for k in range(10, 14)]

    what, _ = recommendation_sentences(evaluated(GOOD, *worse, datasets=[PAIRS, LESS]))

    assert what == (
        "Use good: it is significantly better than each of the 4 other embeddings on 2 of 2 "
        "datasets and worse on none (100 to 150 shared items)."
    )


def test_models_that_differ_in_one_run_may_be_undecided_over_runs():
    runs = [
        noisy(f"{name}-{k}", noise, k) for name, noise in (("a", 0.3), ("b", 0.6)) for k in (1, 2)
    ]

    results = evaluated(*runs, same_model=["a-*", "b-*"])

    assert [c.outcome for c in results.model_comparisons] == ["undecided"]
    assert (
        "which of the models a-* and b-* is better over their training runs on pairs"
        in (recommendation_sentences(results)[1])
    )


def test_one_embedding_has_nothing_to_be_compared_with():
    assert recommendation_sentences(evaluated(GOOD)) == (
        "One embedding was evaluated, so there are no differences to test.",
        "Not known: whether another embedding is significantly better.",
    )


def test_the_same_two_sentences_are_on_the_terminal_on_the_page_and_in_a_notebook(tiny):
    sentences = recommendation_sentences(tiny)

    assert tuple(summary(tiny)[-2:]) == sentences
    assert verdict(tiny).text[:2] == sentences
    for text in (page(tiny), html(tiny)):
        first, second = (text.index(escape(sentence)) for sentence in sentences)
        assert first < second < text.index("<table")


def test_a_failure_to_reject_is_never_called_a_tie(tiny):
    cases = [tiny, evaluated(GOOD, noisy("other", 0.3, seed=7), BAD), evaluated(GOOD, TINY)]

    for each in cases:
        text = " ".join((*summary(each), *verdict(each).text, lexiscope.to_markdown(each))).lower()
        assert not any(word in text for word in ("either will do", "tied", "apart", "same as"))


# Scores that are not comparable.


def _screen(results):
    text = StringIO()
    Console(file=text, width=80).print(table(results))
    return text.getvalue()


def _row(text, name):
    return next(line.split() for line in text.splitlines() if line.startswith(f"  {name} "))


def test_the_terminal_has_shared_scores_beside_own_scores_in_80_columns(tiny):
    text = _screen(tiny)

    assert max(map(len, text.splitlines())) <= 80
    assert _row(text, "tiny") == ["tiny", "–", "covers", "5", "of", "150", "1.000", "5/150"]
    assert _row(text, "good")[-2:] == ["150/150", "a"]
    assert _row(text, "bad")[-2:] == ["150/150", "b"]
    assert [text.index(f"  {name} ") for name in ("good", "bad", "tiny")] == sorted(
        text.index(f"  {name} ") for name in ("good", "bad", "tiny")
    )
    assert any(
        line.startswith("Coverage differs, so compare the column shared") for line in summary(tiny)
    )


def test_a_score_on_other_items_is_never_bold(tiny):
    latex, markdown = lexiscope.to_latex(tiny), lexiscope.to_markdown(tiny)

    assert r"-- {\scriptsize own 1.000, 5/150}" in latex
    assert latex.count(r"\textbf") == 1
    assert r"150 shared items" in latex
    assert "| – own 1.000, 5/150 |" in markdown
    assert markdown.count("**") == 2
    assert "**1.000**" not in markdown


def test_the_highest_score_and_those_like_it_are_bold():
    other = noisy("other", 0.3, seed=7)

    text = lexiscope.to_latex(evaluated(GOOD, other, BAD))

    assert text.count(r"\textbf") == 2
    assert r"\dag" not in text.partition(r"\toprule")[2]


def test_the_figure_has_a_hollow_point_for_a_score_on_other_items(tiny):
    (figure,) = scores(tiny).parts
    (marks,) = figure.spec["datasets"].values()

    hollow = [mark for mark in marks if mark["hollow"]]
    assert [(mark["embedding"], mark["low"]) for mark in hollow] == [("tiny", None)]
    assert hollow[0]["value"] == pytest.approx(1.0)
    assert {mark["embedding"] for mark in marks if not mark["hollow"]} == {"good", "bad"}
    assert {mark["band"] for mark in marks} == {"pairs (150 shared items)"}
    assert [row[1] for row in figure.table.rows] == ["good", "bad", "tiny"]


def test_scores_with_disjoint_intervals_and_one_letter_are_shown_on_shared_items():
    """The first covers easy items only: on these, the second is as good."""
    easy, blurred = noisy("easy", 0.3, seed=7, items=80), GOOD.vectors.copy()
    blurred[160:] = np.random.default_rng(0).normal(size=blurred[160:].shape)
    half = embedding("half", WORDS, blurred)

    results = evaluated(easy, half)

    one, other = results.main()
    assert one.low > other.high  # on own items
    rows = scores(results).parts[0].table.rows
    assert {row[-2] for row in rows} == {"a"}
    assert {row[-1] for row in rows} == {"1 to 2"}
    assert one.shared_low < other.shared_high
    assert {row[2] for row in rows} == {f"{r.shared_value:.3f}" for r in (one, other)}


def test_disjoint_intervals_of_one_letter_are_explained():
    """Intervals are not corrected, differences are."""
    results = evaluated(GOOD, BAD)
    (found,) = results.comparisons
    corrected = replace(found, p=0.02, p_holm=0.13, significant=False, outcome="undecided")
    many = replace(results, comparisons=(corrected,))

    sentence = (
        "similarity on pairs: the intervals of good and bad do not overlap, but the difference is "
        "not significant after correction (p = 0.020, corrected p = 0.130)."
    )
    assert sentence in summary(many)
    assert sentence in scores(many).text
    assert sentence not in summary(results)
    assert {row[-2] for row in scores(many).parts[0].table.rows} == {"a"}
