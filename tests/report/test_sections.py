from dataclasses import replace

import pytest

from lexiscope.core.result import Comparison, Failure
from lexiscope.report.layout import Figure, Table
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
    tables = [part.table if isinstance(part, Figure) else part for part in section.parts]
    return [row for table in tables for row in table.rows]


def _cells(section):
    return {cell for row in _rows(section) for cell in row}


@pytest.mark.parametrize("make", SECTIONS)
@pytest.mark.parametrize("name", ["results", "alone", "hostile", "different"])
def test_every_row_has_a_cell_for_each_heading(make, name, request):
    section = make(request.getfixturevalue(name))

    for part in section.parts if section else ():
        table = part if isinstance(part, Table) else part.table
        assert all(len(row) == len(table.head) for row in table.rows)


def test_the_verdict_comes_first_and_citations_last(results):
    titles = [section.title for section in sections(results)]

    assert titles[0] == "Verdict"
    assert titles[-1] == "Licences and citations"


def test_the_verdict_names_the_embedding_to_use(different):
    text = verdict(different).text

    assert text[0] == "Use good: on 2 of 2 evaluations no embedding is significantly better."
    assert "2 of 2 differences are significant" in text[1]


def test_the_verdict_reports_that_no_difference_is_significant(results):
    none = replace(
        results, comparisons=tuple(replace(c, significant=False) for c in results.comparisons)
    )

    assert verdict(none).text[0].startswith("No significant difference")
    assert f"0 of {len(results.comparisons)} differences are significant" in verdict(none).text[1]


def test_one_significant_difference_is_in_the_singular(different):
    one = replace(different, comparisons=different.comparisons[:1])

    assert "1 of 1 difference is significant" in verdict(one).text[1]


def test_the_verdict_reports_a_lower_coverage_of_the_best_embedding(results):
    ahead = [c for c in results.comparisons if c.second == "short"]
    best = tuple(replace(c, significant=True, difference=-1.0) for c in ahead)

    text = verdict(replace(results, comparisons=best)).text

    assert text[0].startswith("Use short:")
    assert text[1].startswith("But short covers only")


def test_warnings_and_low_coverage_are_noted(results):
    warned = replace(results, manifest={**results.manifest, "warnings": ["Letter case: mind it."]})

    assert verdict(warned).notes[0] == "Letter case: mind it."
    assert any(note.startswith("short covers only") for note in verdict(warned).notes)


def test_policies_that_change_the_best_embedding_are_flagged(results):
    found = results.best_changes

    assert found
    assert all(
        flag.startswith("The best embedding depends on the vocabulary policy")
        for flag in verdict(results).flags
    )
    assert len(policy_sensitivity(results).flags) == len(
        {(t.task, t.dataset, t.instead) for t in found}
    )


def test_policies_that_were_not_evaluated_are_a_limitation(different):
    assert "other vocabulary policies were not evaluated" in verdict(different).text[-1]
    assert policy_sensitivity(different) is None


def test_scores_have_groups_and_rank_intervals(different):
    rows = {(row[0], row[1]): row for row in _rows(scores(different))}

    assert rows["pairs", "good"][-2:] == ("a", "1")
    assert rows["pairs", "noise"][-2:] == ("b", "2")


def test_an_undetermined_rank_is_a_range(results):
    assert any(" to " in row[-1] for row in _rows(scores(results)))


def _comparison(**values):
    usual = Comparison(
        "a", "b", "similarity", "men", "spearman", {}, 0.01, -0.01, 0.03, 0.3, 1.0, 3000, "t",
        False, variant="similarity", p_bh=0.5, detectable_difference=0.019, items_needed=4312,
    )  # fmt: skip
    return replace(usual, **values)


@pytest.mark.parametrize(
    ("comparison", "text"),
    [
        (_comparison(), "not significant; minimum detectable difference 0.019; "
         "about 4,300 items needed"),
        (_comparison(items_needed=200), "not significant; minimum detectable difference 0.019"),
        (_comparison(detectable_difference=None, items_needed=None, difference=0.0),
         "no difference"),
        (_comparison(p=None, state="no shared item"), "not tested"),
        (_comparison(significant=True), "significant"),
    ],
)  # fmt: skip
def test_a_difference_has_its_significance_and_power(different, comparison, text):
    section = differences(replace(different, comparisons=(comparison,)))

    assert _rows(section)[0][1] == text
    assert "all 1 comparison of the run" in section.text[0]


def test_a_difference_has_both_corrections(different):
    head = differences(different).parts[0].head

    assert {"p", "p (Holm)", "p (BH)"} <= set(head)


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
