"""Every kind of results is a small card in a notebook: the verdict, then a table, all escaped."""

import re
from html import escape, unescape

import pytest

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.evaluation.analysis.correlation import correlate
from lexiscope.human.power.estimate import power
from lexiscope.human.power.settings import PowerSettings
from lexiscope.human.power.synthetic import synthetic_study
from lexiscope.report.cards import card_of
from lexiscope.report.consistency.verdict import verdict_sentences as consistency_sentences
from lexiscope.report.correlation_tables import sentences
from lexiscope.report.curves.verdict import verdict_sentences as curve_sentences
from lexiscope.report.layout import Table
from lexiscope.report.notebook import table_card
from lexiscope.report.recommendation import recommendation_sentences
from tests.report.consistency import test_consistency_report as consistency
from tests.report.constructed import LESS, PAIRS, evaluated, noisy
from tests.report.curves import test_curve_report as curves

curve_results, hostile_curves = curves.results, curves.hostile
consistency_results, hostile_consistency = consistency.results, consistency.hostile


def _text(html):
    """The visible text of a fragment."""
    return unescape(re.sub(r"<[^>]*>", " ", html))


def _is_small_and_starts_with(html, first):
    assert _text(html).split()[: len(first.split())] == first.split()
    assert html.count("<table") == html.count("</table>") == 1
    assert "<script" not in html
    assert "http" not in html
    assert len(html) < 60_000


def test_the_card_of_a_run_is_the_verdict_and_the_grid(different):
    html = different._repr_html_()

    _is_small_and_starts_with(html, recommendation_sentences(different)[0])
    for row in different.main():
        assert f"{row.value:.3f}" in html
    assert html.count("font-weight:700") == 2  # the better one on both datasets


def test_the_card_of_a_run_without_scores_is_the_verdict(alone):
    from dataclasses import replace

    html = replace(alone, results=(), coverage=())._repr_html_()

    assert "One embedding was evaluated" in html
    assert "<table" not in html


def test_the_card_of_correlations_has_every_pair_of_evaluations():
    found = correlate(
        evaluated(*(noisy(f"n{k}", k / 3, seed=k) for k in range(1, 6)), datasets=(PAIRS, LESS))
    )
    html = found._repr_html_()

    _is_small_and_starts_with(html, sentences(found)[0])
    assert html.count("<tr") == 1 + len(found.pairs)


@pytest.fixture(scope="module")
def of_curves(request):
    return [request.getfixturevalue(name) for name in ("curve_results", "hostile_curves")]


def test_the_card_of_learning_curves_is_their_verdict(of_curves):
    for results in of_curves:
        _is_small_and_starts_with(results._repr_html_(), curve_sentences(results)[0])


@pytest.fixture(scope="module")
def of_consistency(request):
    names = ("consistency_results", "hostile_consistency")
    return [request.getfixturevalue(name) for name in names]


def test_the_card_of_consistency_is_its_verdict(of_consistency):
    for results in of_consistency:
        _is_small_and_starts_with(results._repr_html_(), consistency_sentences(results)[0])


def test_a_long_table_is_cut_and_counted():
    rows = tuple((str(number),) for number in range(40))
    html = table_card(["Verdict."], Table(("number",), rows))

    assert html.count("<td") == 30
    assert "10 more rows" in html


def test_hostile_words_are_text_in_cards(hostile):
    html = hostile._repr_html_()

    assert "<script>" not in html
    assert "<img" not in html
    assert escape("</script><script>alert(1)</script>") in html


def test_every_kind_of_results_has_a_card():
    kinds = [
        "evaluation.results.Results", "evaluation.analysis.correlation.Correlations",
        "regression.outcome.Check", "papers.reproduce.Reproduction",
        "experiments.synthetic.results.SyntheticResults",
        "experiments.correlation.results.CorrelationResults",
        "experiments.curves.results.CurveResults",
        "experiments.consistency.results.ConsistencyResults",
        "experiments.inspection.results.InspectionResults",
        "human.scoring.results.StudyResults",
    ]  # fmt: skip
    for path in kinds:
        module, _, name = path.rpartition(".")
        kind = getattr(__import__(f"lexiscope.{module}", fromlist=[name]), name)
        assert callable(kind._repr_html_), path


def test_a_card_of_something_else_is_refused():
    with pytest.raises(BadUsage, match="str has no card"):
        card_of("text")


def test_an_embedding_has_a_card_too():
    assert "2 words" in lexiscope.load({"a": [1.0, 2.0], "b": [3.0, 4.0]})._repr_html_()


def test_the_card_of_a_power_analysis_is_the_smallest_design_and_all_designs():
    study = synthetic_study(embeddings=2, ranks=1)
    settings = PowerSettings(0.1, queries=(6,), judges_per_item=(3,), replicates=3)

    html = power(study, settings)._repr_html_()

    _is_small_and_starts_with(html, "No design reaches")
    assert "judges per item" in _text(html)
