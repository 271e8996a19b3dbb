"""The page, the terminal and the exports of a study."""

from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.study import Study, StudySettings
from lexiscope.human.proxies import ProxyScore
from lexiscope.human.scoring.results import score_study
from lexiscope.human.simulation import simulate
from lexiscope.report import study as report
from lexiscope.report.layout import Figure
from lexiscope.report.study import sections, tables, verdict
from tests.human.study_builders import EMBEDDINGS, comparison, control, study

ATTRIBUTES = ("concreteness", "part_of_speech", "frequency")


def comparisons():
    items = [
        replace(comparison(k, query=f"q{k // 2}"), rank=1 + 4 * (k % 2),
                attributes=dict.fromkeys(ATTRIBUTES, f"value{k % 3}"))
        for k in range(40)
    ]  # fmt: skip
    some = replace(study(controls_per_judge=1), items=(*items, control(0)))
    judges, given = simulate(some, np.random.default_rng(0), quality={"A": 1.0})
    first = judges[0].id
    careless = [replace(e, choice=1) if e.judge == first and e.item == "control0" else e
                for e in given]  # fmt: skip
    return score_study(some, careless, judges)


def intrusions(embeddings=EMBEDDINGS):
    from lexiscope.core.study import Item

    items = tuple(
        Item(f"{q}{name}", "intrusion", f"q{q}", ("q", "a", "b", "x"),
             ((), (name,), (name,), (name,)), answer=3)
        for q in range(10) for name in embeddings
    )  # fmt: skip
    settings = StudySettings(judges_per_item=3, items_per_judge=10, controls_per_judge=0)
    some = Study("intrusion", settings, dict.fromkeys(embeddings, ""), items)
    judges, given = simulate(some, np.random.default_rng(0), quality={"A": 2.0})
    return score_study(some, given, judges)


def titles(results):
    return {each.title: each for each in sections.sections(results)}


def test_figure_1_has_the_parts_of_the_paper_in_its_order():
    parts = titles(comparisons())["Breakdown"].parts
    figures = [part.title for part in parts if isinstance(part, Figure)]

    assert figures == ["By frequency", "By rank", "By part of speech", "By concreteness"]
    assert parts[0].table.rows[0][0] == "all items"
    assert "normalised within each condition" in parts[1].caption


def test_a_study_of_one_embedding_has_a_score_and_no_differences():
    results = intrusions(("A",))

    assert verdict.verdict_sentences(results)[0].startswith("Precision of A: 0.")
    assert "Differences" not in titles(results)


def test_tables_have_different_captions():
    parts = [part for each in sections.sections(comparisons()) for part in each.parts]
    captions = [part.caption for part in parts if not isinstance(part, Figure)]

    assert len(set(captions)) == len(captions)
    assert "" not in captions


def test_normalised_scores_of_a_condition_sum_to_one():
    results = comparisons()

    for each in results.slices:
        assert sum(s.normalised.value for s in each.scores) == pytest.approx(1.0)


def test_the_caution_about_ranks_is_on_the_page_and_in_the_terminal(capsys):
    results = comparisons()
    report.show(results)

    assert "allow no statement on how good" in " ".join(capsys.readouterr().out.split())
    assert "allow no statement on how good" in report.page(results)
    assert "allow no statement on how good" in report.markdown(results)


def test_the_chance_level_is_a_line_in_figures_of_intrusion_only():
    figure = titles(intrusions())["Scores"].parts[0]
    other = titles(comparisons())["Scores"].parts[0]

    assert "'reference': 0.25" in str(figure.spec)
    assert "reference" not in str(other.spec)


def test_results_without_flagged_judges_are_beside_the_others():
    results = comparisons()
    section = titles(results)["Without flagged judges"]

    assert "simulated0001" in results.flagged
    assert section.parts[0].rows != titles(results)["Scores"].parts[0].table.rows
    number = len(results.flagged)
    assert f"{number} judges flagged" in " ".join(titles(results)["Verdict"].text)


def test_both_p_values_are_in_the_table():
    results = comparisons()
    table = tables.comparison_table(results)

    assert table.head[3:6] == ("p (permutation)", "p", "p (Holm)")
    for pair in results.comparisons:
        assert 0 < pair.p_permutation <= pair.p <= pair.p_holm


def test_machine_proxies_are_named_as_such():
    some = replace(intrusions(), proxies=(ProxyScore("A", "B", 10, 0, 0.6, 0.3, 0.8, 0.25, 10),))
    section = titles(some)["Machine proxies"]

    assert "A proxy is no person" in section.text[0]
    assert section.parts[0].rows == (("A", "B", "10", "0.600 (0.300 to 0.800)", "+0.25"),)
    assert some.to_dict()["proxies"][0]["correlation"] == 0.25
    assert "correlation with judges" in report.markdown(some)
    assert "Machine proxies" not in titles(intrusions())


def test_the_terminal_shows_machine_proxies_that_were_given(capsys):
    some = replace(intrusions(), proxies=(ProxyScore("A", "B", 10, 0, 0.6, 0.3, 0.8, 0.25, 10),))
    report.show(some)
    found = capsys.readouterr().out

    assert "0.600  0.300 to 0.800   +0.25" in found
    assert "A proxy is no person." in " ".join(found.split())


@pytest.mark.parametrize("results", [comparisons(), intrusions()], ids=["comparison", "intrusion"])
def test_every_export_has_every_embedding(results):
    for text in (report.csv(results), report.latex(results), report.markdown(results)):
        assert all(name in text for name in EMBEDDINGS)
    assert len(report.csv(results).splitlines()) == 1 + len(results.items)
