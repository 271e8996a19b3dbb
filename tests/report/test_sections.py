from dataclasses import replace

import pytest

from lexiscope.bench.policies import turns
from lexiscope.core.result import Comparison, Failure
from lexiscope.report.layout import Figure, Table
from lexiscope.report.sections import (
    SECTIONS,
    agreement,
    beside,
    coverage,
    differences,
    items,
    manifest,
    parts,
    policies,
    problems,
    scores,
    sections,
    sources,
    verdict,
)


def _rows(section):
    tables = [part.table if isinstance(part, Figure) else part for part in section.parts]
    return [row for table in tables for row in table.rows]


def _cells(section):
    return {cell for row in _rows(section) for cell in row}


@pytest.mark.parametrize("make", SECTIONS)
@pytest.mark.parametrize("name", ["results", "alone", "hostile", "apart"])
def test_every_row_has_a_cell_for_each_heading(make, name, request):
    section = make(request.getfixturevalue(name))

    for part in section.parts if section else ():
        table = part if isinstance(part, Table) else part.table
        assert all(len(row) == len(table.head) for row in table.rows)


def test_the_verdict_comes_first_and_citations_last(results):
    titles = [section.title for section in sections(results)]

    assert titles[0] == "Verdict"
    assert titles[-1] == "Data: licences and citations"


def test_the_verdict_names_who_to_use(apart):
    text = verdict(apart).text

    assert text[0] == "Use good: on 2 of 2 questions no embedding is really better."
    assert "2 of 2 differences are real" in text[1]


def test_the_verdict_says_when_nothing_was_shown(results):
    none = replace(results, comparisons=tuple(replace(c, real=False) for c in results.comparisons))

    assert verdict(none).text[0].startswith("No difference was shown")
    assert f"0 of {len(results.comparisons)} differences are real" in verdict(none).text[1]


def test_one_difference_is_real_in_the_singular(apart):
    one = replace(apart, comparisons=apart.comparisons[:1])

    assert "1 of 1 difference is real" in verdict(one).text[1]


def test_the_verdict_says_when_the_best_one_knows_fewer_words(results):
    ahead = [c for c in results.comparisons if c.second == "short"]
    best = tuple(replace(c, real=True, difference=-1.0) for c in ahead)

    text = verdict(replace(results, comparisons=best)).text

    assert text[0].startswith("Use short:")
    assert text[1].startswith("But short has the words for only")


def test_warnings_and_low_coverage_are_noted(results):
    warned = replace(results, manifest={**results.manifest, "warnings": ["Letter case: mind it."]})

    assert verdict(warned).notes[0] == "Letter case: mind it."
    assert any(note.startswith("short has the words for only") for note in verdict(warned).notes)


def test_turns_of_the_winner_are_red_flags(results):
    found = turns(results)

    assert found
    assert all(
        flag.startswith("The winner depends on the policy") for flag in verdict(results).flags
    )
    assert len(policies(results).flags) == len({(t.task, t.dataset, t.instead) for t in found})


def test_untried_policies_are_not_known(apart):
    assert "other vocabulary policies were not tried" in verdict(apart).text[-1]
    assert policies(apart) is None


def test_scores_have_groups_and_rank_intervals(apart):
    rows = {(row[0], row[1]): row for row in _rows(scores(apart))}

    assert rows["pairs", "good"][-2:] == ("a", "1")
    assert rows["pairs", "noise"][-2:] == ("b", "2")


def test_ranks_that_are_open_are_a_range(results):
    assert any(" to " in row[-1] for row in _rows(scores(results)))


def _comparison(**values):
    usual = Comparison(
        "a", "b", "similarity", "men", "spearman", {}, 0.01, -0.01, 0.03, 0.3, 1.0, 3000, "t",
        False, variant="similarity", p_bh=0.5, detectable=0.019, needed=4312,
    )  # fmt: skip
    return replace(usual, **values)


@pytest.mark.parametrize(
    ("comparison", "told"),
    [
        (_comparison(), "may be chance; could have shown 0.019 or more; "
         "about 4,300 items would be needed"),
        (_comparison(needed=200), "may be chance; could have shown 0.019 or more"),
        (_comparison(detectable=None, needed=None, difference=0.0), "none"),
        (_comparison(p=None, state="no shared item"), "not tested"),
        (_comparison(real=True), "real"),
    ],
)  # fmt: skip
def test_a_difference_says_what_its_items_could_show(apart, comparison, told):
    section = differences(replace(apart, comparisons=(comparison,)))

    assert _rows(section)[0][1] == told
    assert "all 1 comparison of the run" in section.text[0]


def test_both_corrections_stand_beside_a_difference(apart):
    head = differences(apart).parts[0].head

    assert {"p", "p (Holm)", "p (BH)"} <= set(head)


def test_agreement_is_a_heat_map_and_a_sentence(results):
    section = agreement(results)
    questions = len(results.columns)

    assert "no single number" in section.text[0]
    assert "of questions" in section.text[1]
    assert len(section.parts[0].spec["layer"]) == 2
    assert len(_rows(section)) <= questions


def test_agreement_of_two_embeddings_says_why_there_is_none(apart):
    section = agreement(apart)

    assert section.parts == ()
    assert "from 3 embeddings on" in section.text[1]


def test_items_have_a_folded_table_for_each_question(results):
    tables = items(results).parts

    assert all(table.folded for table in tables)
    assert {(d.task, d.dataset) for d in results.disagreements} == {
        tuple(table.caption.rpartition(":")[0].split(" on ", 1)) for table in tables
    }


def test_parts_are_sections_and_what_was_asked_for(results):
    titles = [figure.title for figure in parts(results).parts]

    assert "analogy on analogies, sections" in titles
    assert "similarity on pairs, broken down" in titles
    assert "frequency (rank in seed 0)" in parts(results).text[1]


def test_policies_show_the_lowest_and_the_highest_score(results):
    figure = policies(results).parts[0]

    for row in figure.table.rows:
        score, lowest, highest = float(row[2]), float(row[3]), float(row[5])
        assert lowest <= score <= highest


def test_analogies_are_drawn_over_the_vocabulary_limit(results):
    figures = [f for f in policies(results).parts if "vocabulary limit" in f.title]

    assert [f.table.head[2] for f in figures] == ["accuracy", "accuracy_of_all"]
    for figure in figures:
        words = {row[1] for row in figure.table.rows if row[0] == "seed 0"}
        assert words == {"10,000", "10,200"}
        assert {row[1] for row in figure.table.rows if row[0] == "short"} == {"30"}


def test_a_reference_has_no_interval(results):
    rows = [row for row in _rows(beside(results)) if row[3] == "purity_by_chance"]

    assert rows
    assert all(row[-1].startswith("a reference") for row in rows)


def test_coverage_lists_missing_words_the_worst_first(results):
    section = coverage(results)

    assert _rows(section)[0][1] == "short"
    assert "words with a zero vector" not in section.parts[0].head


def test_problems_are_failures_and_repairs(results):
    failed = replace(results, failures=(Failure("short", "analogy", "pairs", "no words"),))

    assert problems(results) is None
    assert ("short", "analogy, pairs", "failed", "no words") in _rows(problems(failed))


def test_how_it_was_made_has_every_fingerprint(results):
    assert {about["sha256"] for about in results.manifest["datasets"]} <= _cells(manifest(results))


def test_lexiscope_is_cited_even_without_data_of_the_catalogue(results):
    code = sources(results).code

    assert code[-1].startswith("@misc{lexiscope,")
    assert "{{The Lexiscope developers}}" in code[-1]


def test_data_of_the_catalogue_is_cited_once(results):
    about = {**results.manifest, "by": ["concreteness (brysbaert2014)"]}
    about["datasets"] = [{**about["datasets"][0], "name": name} for name in ("ws353", "ws353")]

    section = sources(replace(results, manifest=about))

    assert [row[0] for row in _rows(section)] == ["ws353", "brysbaert2014"]
    assert len(section.code) == 3


def test_every_task_of_the_run_has_a_figure(results):
    tasks = {row.variant for row in results.main()}

    assert {figure.title for figure in scores(results).parts} == tasks
