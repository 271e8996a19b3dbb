"""The page, the terminal and the exports of a study."""

import re
from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.study import Study, StudySettings
from lexiscope.human.proxies import ALL, ProxyScore
from lexiscope.human.scoring.results import Slice, score_study
from lexiscope.human.simulation import simulate
from lexiscope.report import study as report
from lexiscope.report.layout import Figure
from lexiscope.report.study import overview, sections, tables, verdict
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
    (row,) = section.parts[0].rows
    assert row == ("A", "B", "10", "0", "0.600 (0.300 to 0.800)", "+0.250", "10")
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


def test_coherence_is_shown_before_the_single_proxies():
    found = (
        ProxyScore("A", ALL, 10, 2, 0.7, 0.4, 0.9, 0.5, 8, -0.3, 0.9),
        ProxyScore("A", ALL, 4, 1, 0.5, 0.2, 0.8, None, 0, frequency="rare"),
        ProxyScore("A", "B", 10, 2, 0.6, 0.3, 0.8, 0.25, 10),
    )
    some = replace(intrusions(), proxies=found)
    coherence, single = titles(some)["Machine proxies"].parts

    assert coherence.rows[0][:5] == ("A", "all items", "10", "2", "0.700 (0.400 to 0.900)")
    assert coherence.rows[0][5:] == ("+0.500 (-0.300 to +0.900)", "8")
    assert coherence.rows[1][1] == "rare"
    assert single.rows[0][1] == "B"
    lines = " ".join(overview.proxy_lines(found))
    assert "8 to 10 items; that of A and all proxies has the 95 % CI -0.30 to +0.90" in lines
    assert max(map(len, overview.proxy_lines(found))) <= 80


def test_figure_2_shows_pooled_precision_by_frequency():
    results = intrusions()
    slices = (Slice("frequency", "rare", 5, 5, results.scores),)
    parts = titles(replace(results, slices=slices))["Breakdown"].parts

    assert "pooled over all ratings" in parts[1].caption
    pooled = results.scores[0].pooled
    assert f"{pooled.value:.3f}" in parts[1].rows[0][2]


@pytest.mark.parametrize("results", [comparisons(), intrusions()], ids=["comparison", "intrusion"])
def test_latex_and_markdown_have_every_table_of_the_page(results):
    captions = [table.caption for table in sections.every_table(results)]
    latex, markdown = report.latex(results), report.markdown(results)

    assert latex.count("\\begin{table}") == len(captions) == len(set(captions))
    labels = re.findall(r"label{(.*?)}", latex)
    assert len(set(labels)) == len(captions)
    for caption in captions:
        assert caption.partition(" (")[0] in markdown
    names = " ".join(report.table_files(results))
    assert "differences-between-embeddings" in names
    assert "judges" in names


def test_tables_and_figures_become_files(tmp_path):
    results = comparisons()
    paths = report.figures(results, tmp_path / "svg", ".svg")

    assert len(paths) == 5
    assert all(path.read_bytes().startswith(b"<svg") for path in paths)
    (png, *_) = report.figures(results, tmp_path / "png", ".png")
    assert png.read_bytes().startswith(b"\x89PNG")
    table = report.table_files(results)["01-win-ratio-of-each-embedding.csv"].decode("utf-8-sig")
    assert table.splitlines()[0].startswith("embedding,win ratio,pooled")
