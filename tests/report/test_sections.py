from dataclasses import replace

import pytest

from lexiscope.core.result import Comparison, Failure
from lexiscope.report.charts import heat_map
from lexiscope.report.layout import Figure, Forest, Grid, Matrix
from lexiscope.report.sections import (
    SECTIONS,
    agreement,
    breakdowns,
    citations,
    coverage,
    differences,
    disagreements,
    policy_sensitivity,
    problems,
    provenance,
    scores,
    secondary_metrics,
    sections,
    verdict,
)


def _rows(section):
    return [row for part in section.parts for _, rows in _shape(part) for row in rows]


def _cells(section):
    return {cell for row in _rows(section) for cell in row}


def test_correlations_have_one_format_in_heat_maps_and_tables():
    chart = heat_map(["a", "b"], [[1.0, None], [None, -0.5]], "about")

    (cells,) = chart["datasets"].values()
    assert [cell["text"] for cell in cells] == ["+1.00", "–", "–", "-0.50"]


@pytest.mark.parametrize("make", SECTIONS)
@pytest.mark.parametrize("name", ["results", "alone", "hostile", "different"])
def test_every_row_has_a_cell_for_each_heading(make, name, request):
    section = make(request.getfixturevalue(name))

    for part in section.parts if section else ():
        assert all(len(row) == width for width, rows in _shape(part) for row in rows)


def _shape(part):
    """The number of columns of a table, and its rows; a figure has the table of its data."""
    if isinstance(part, Grid):
        return [(len(part.columns), [row.cells for row in part.rows])]
    if isinstance(part, Matrix):
        return [(len(part.names), part.rows)]
    if isinstance(part, Forest):
        return []
    table = part.table if isinstance(part, Figure) else part
    return [(len(table.head), table.rows)]


def test_the_verdict_comes_first_and_citations_last(results):
    titles = [section.title for section in sections(results)]

    assert titles[0] == "Verdict"
    assert titles[-1] == "Licences and citations"


def test_the_verdict_has_the_number_of_comparisons_by_outcome(different):
    assert verdict(different).text[2] == (
        "2 comparisons: 2 different, 0 equivalent within ±0.05, 0 undecided. Paired tests on "
        "shared items, 5 % level after correction (Holm-Tarone)."
    )


def test_outcomes_add_up_to_the_comparisons_on_the_first_line_of_the_page(results):
    """A comparison without a test is undecided: the same total is on every line."""
    comparisons = [replace(c, outcome="undecided", p=None) for c in results.comparisons[:3]]
    some = replace(results, comparisons=(*comparisons, *results.comparisons[3:]))
    outcomes = [c.outcome for c in some.comparisons]
    counts = [outcomes.count(name) for name in ("different", "equivalent", "undecided")]
    untested = sum(c.p is None for c in some.comparisons)

    expected = (
        f"{len(outcomes)} comparisons: {counts[0]} different, {counts[1]} equivalent within "
        f"±0.05, {counts[2]} undecided ({untested} not tested)."
    )
    assert sum(counts) == len(results.comparisons)
    assert any(text.startswith(expected) for text in verdict(some).text)
    assert differences(some).text[0].startswith(expected)


def test_every_embedding_and_every_two_candidates_have_a_row_with_the_differences(different):
    *_, embeddings, pairs = differences(different).parts

    assert embeddings.rows == (
        ("good", "1", "0", "0", "0", "100.0 %"), ("noise", "0", "1", "0", "0", "100.0 %")
    )  # fmt: skip
    assert pairs.rows == (("good and noise", "2", "0", "0", "0", "0"),)


def test_warnings_and_low_coverage_are_noted(results):
    warned = replace(results, manifest={**results.manifest, "warnings": ["Letter case: mind it."]})

    assert verdict(warned).notes[0] == "Letter case: mind it."
    assert any(note.startswith("short covers only") for note in verdict(warned).notes)


def test_only_significant_changes_of_the_best_embedding_are_flagged(results):
    change = results.best_changes[0]
    significant = with_changes(results, [change._replace(significant=True)])
    chance = with_changes(results, [change._replace(significant=False)])

    (flag,) = verdict(significant).flags
    assert flag.startswith("The best embedding depends on the vocabulary policy on")
    assert flag.endswith("both differences are significant.")
    assert policy_sensitivity(significant).flags == (flag,)
    assert verdict(chance).flags == policy_sensitivity(chance).flags == ()
    assert policy_sensitivity(chance).abstract == "no significant change of the best embedding"
    assert policy_sensitivity(significant).abstract == "the best embedding depends on the policy"
    assert policy_sensitivity(chance).text[-1].endswith("; not significant.")


def with_changes(results, changes):
    """The results with these changes of the best embedding."""
    same = replace(results)
    same.__dict__["best_changes"] = changes
    return same


def test_policies_that_were_not_evaluated_are_a_limitation(different):
    assert "other vocabulary policies were not evaluated" in verdict(different).text[-1]
    assert policy_sensitivity(different) is None


def test_several_training_runs_replace_a_limitation(different):
    runs = replace(different, model_comparisons=(_comparison(outcome="different", high=0.06),) * 2)

    assert any("another training run" in text for text in verdict(different).text)
    assert not any("another training run" in text for text in verdict(runs).text)
    sentence = (
        "Models over their training runs, with the variance between runs: 2 comparisons, "
        "2 different, 0 equivalent and 0 undecided."
    )
    assert sentence in verdict(runs).text
    assert sentence in differences(runs).text
    assert differences(runs).parts[0].rows[0][:3] == (
        "similarity on men", "a minus b", "different"
    )  # fmt: skip


def test_scores_have_groups_and_rank_intervals(different):
    rows = {(row[0], row[1]): row for row in _rows(scores(different))}

    assert rows["pairs", "good"][-2:] == ("a", "1")
    assert rows["pairs", "noise"][-2:] == ("b", "2")


def test_an_undetermined_rank_is_a_range(results):
    assert any(" to " in row[-1] for row in _rows(scores(results)))


def _comparison(**values):
    usual = Comparison(
        "a", "b", "similarity", "men", "spearman", {}, 0.01, -0.01, 0.03, 0.3, 1.0, 2000, "t",
        False, variant="similarity", p_bh=0.5, detectable_difference=0.019, p_equivalence=0.07,
        margin=0.05, total=3000, range=2.0,
    )  # fmt: skip
    return replace(usual, **values)


@pytest.mark.parametrize(
    ("comparison", "text"),
    [
        (_comparison(), "undecided"),
        (_comparison(outcome="equivalent", p_equivalence=0.01), "equivalent within ±0.05"),
        (_comparison(p=None, state="no shared item"), "undecided, not tested"),
        (_comparison(significant=True, outcome="different", high=0.06), "different"),
        (_comparison(significant=True, outcome="different"), "different, but within ±0.05"),
    ],
)
def test_a_difference_has_one_of_three_outcomes(different, comparison, text):
    section = differences(replace(different, comparisons=(comparison,)))

    assert _rows(section)[0][1] == text
    assert section.text[0].startswith("1 comparison: ")


def test_a_difference_has_both_tests_and_what_could_be_detected(different):
    table = differences(replace(different, comparisons=(_comparison(),))).parts[0]

    assert dict(zip(table.head, table.rows[0], strict=True)) == {
        "first minus second": "a minus b", "outcome": "undecided", "difference": "0.010",
        "95 % interval": "-0.010 to 0.030", "p": "0.300", "p (Holm-Tarone)": "1.000",
        "p (equivalence)": "0.070", "detectable difference": "0.019",
        "shared items": "2,000/3,000", "test": "t",
    }  # fmt: skip


def test_the_methods_have_their_standard_names(different):
    text = " ".join(differences(different).text)

    assert "Holm's method with Tarone's modification" in text
    assert "two one-sided t tests (TOST)" in text
    assert "not evidence of no difference" in text


def test_agreement_is_a_heat_map_and_a_sentence(results):
    section = agreement(results)
    evaluations = len(results.evaluations)

    assert "No single score" in section.text[0]
    assert "of evaluations" in section.text[1]
    assert len(section.parts[0].spec["layer"]) == 2
    assert len(_rows(section)) <= evaluations


def test_two_embeddings_have_no_agreement(different):
    section = agreement(different)

    assert section.parts == ()
    assert "at least 3 embeddings" in section.text[1]


def test_disagreements_have_a_folded_table_for_each_evaluation(results):
    tables = disagreements(results).parts

    assert all(table.folded for table in tables)
    assert {(d.task, d.dataset) for d in results.disagreements} == {
        tuple(table.caption.rpartition(":")[0].split(" on ", 1)) for table in tables
    }


def test_breakdowns_are_by_section_and_by_attribute(results):
    titles = [figure.title for figure in breakdowns(results).parts]

    assert "analogy on analogies, by section" in titles
    assert "similarity on pairs, by attribute" in titles
    assert "frequency (rank in seed 0)" in breakdowns(results).text[1]


def test_policies_show_the_lowest_and_the_highest_score(results):
    figure = policy_sensitivity(results).parts[0]

    for row in figure.table.rows:
        score, lowest, highest = float(row[2]), float(row[3]), float(row[5])
        assert lowest <= score <= highest


def test_analogies_are_drawn_over_the_vocabulary_limit(results):
    figures = [f for f in policy_sensitivity(results).parts if "vocabulary limit" in f.title]

    assert [f.table.head[2] for f in figures] == ["accuracy", "accuracy_all_items"]
    for figure in figures:
        words = {row[1] for row in figure.table.rows if row[0] == "seed 0"}
        assert words == {"10,000", "10,200"}
        assert {row[1] for row in figure.table.rows if row[0] == "short"} == {"30"}


def test_a_reference_has_no_interval(results):
    rows = [row for row in _rows(secondary_metrics(results)) if row[3] == "purity_chance_level"]

    assert rows
    assert all(row[-1].startswith("a reference") for row in rows)


def test_coverage_lists_missing_words_with_the_lowest_coverage_first(results):
    section = coverage(results)

    assert _rows(section)[0][1] == "short"
    assert "words with a zero vector" not in section.parts[0].head


def test_problems_are_failures_and_repairs(results):
    failed = replace(results, failures=(Failure("short", "analogy", "pairs", "no words"),))

    assert problems(results) is None
    assert ("short", "analogy on pairs", "failed", "no words") in _rows(problems(failed))


def test_provenance_has_every_fingerprint(results):
    assert {about["sha256"] for about in results.manifest["datasets"]} <= _cells(
        provenance(results)
    )


def test_lexiscope_is_cited_without_catalogue_data(results):
    code = citations(results).code

    assert code[-1].startswith("@misc{lexiscope,")
    assert "{{The Lexiscope developers}}" in code[-1]


def test_catalogue_data_is_cited_once(results):
    about = {**results.manifest, "by": [{"name": "concreteness", "source": "brysbaert2014"}]}
    about["datasets"] = [{**about["datasets"][0], "name": name} for name in ("ws353", "ws353")]

    section = citations(replace(results, manifest=about))

    assert [row[0] for row in _rows(section)] == ["ws353", "brysbaert2014"]
    assert len(section.code) == 3


def test_every_task_of_the_run_has_a_figure(results):
    tasks = {row.variant for row in results.main()}

    assert {figure.title for figure in scores(results).parts} == tasks
