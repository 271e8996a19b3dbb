"""The report on consistency: page, terminal and exports."""

import csv
import io
from dataclasses import replace

import pytest
from rich.console import Console

from lexiscope.core.versions import versions
from lexiscope.experiments.consistency.results import (
    ConsistencyOptions,
    ConsistencyResults,
    CorrectedTerms,
    StableNeighbours,
)
from lexiscope.experiments.consistency.summary import neighbour_stability, summarise
from lexiscope.report import consistency as report
from lexiscope.report.consistency.sections import sections
from lexiscope.report.consistency.tables import learnable_table, summary_table
from lexiscope.report.consistency.verdict import chance_sentence
from lexiscope.report.exports.tables import markdown_text
from lexiscope.report.layout import Figure, Table
from tests.experiments.consistency.simulated_vectors import background, names, simulated
from tests.report.hostile_words import NAMES

OPTIONS = ConsistencyOptions(draws=99, text_tokens=50_000)


@pytest.fixture(scope="module")
def results():
    found = [simulated(), simulated("weak", strength=0.3, seed=2), simulated(split="halves")]
    stable = neighbour_stability("additive", "seed", {"a": [["x", "y"], ["x", "z"]]})
    return summarise(
        found,
        background(names()),
        options=OPTIONS,
        stability=[stable],
        left_out=[("never", "does not occur in the text")],
        manifest={"versions": versions(), "text": "book.txt"},
    )


@pytest.fixture(scope="module")
def hostile():
    terms = (*NAMES, *names()[len(NAMES) :])
    found = replace(simulated(terms=terms), model=NAMES[0])
    space = background(terms)
    summary = summarise([found], space, options=OPTIONS, left_out=[(NAMES[1], NAMES[2])])
    return replace(summary, warnings=(NAMES[0],), manifest={NAMES[1]: NAMES[2]})


def printed(found, width=80):
    out = Console(width=width, file=io.StringIO(), color_system=None)
    for part in report.terminal(found):
        out.print(part)
    return out.file.getvalue()


def test_the_verdict_comes_first(results):
    first = sections(results)[0]
    assert first.title == "Verdict"
    learnable = results.models[0].centred.learnable
    assert f"{learnable} of 50 with additive (random samples)" in first.text[0]
    assert f"{learnable} of 50 tested terms are learnable from this text" in first.text[1]
    assert first.parts[0].caption == "What the cosine adds over different terms (95 % CI)"
    assert first.parts[1].head == ("model", "learnable", "not shown to be learnable")
    assert "chance level" in first.text[1]


def test_the_page_has_every_section(results):
    titles = [section.title for section in sections(results)]
    assert titles == [
        "Verdict", "Cosine and rank", "Compared with different terms", "Size of samples",
        "Differences between models", "Neighbours side by side", "Drift from the background",
        "Frequency", "Stability", "Terms", "Terms left out", "Settings",
    ]  # fmt: skip


def test_every_figure_has_its_table(results):
    figures = [p for s in sections(results) for p in s.parts if isinstance(p, Figure)]
    assert len(figures) == 2 + 3 + 4  # scatters, null distributions, size effects
    assert all(figure.table.rows for figure in figures)


def test_every_row_has_a_cell_for_each_column(results):
    for section in sections(results):
        for part in section.parts:
            table = part.table if isinstance(part, Figure) else part
            assert {len(row) for row in table.rows} <= {len(table.head)}


def test_the_page_says_how_ranks_are_counted(results):
    page = report.page(results)
    assert "strictly higher cosine" in page
    assert "is not counted" in page
    kept = replace(results, options=replace(OPTIONS, keep_own_entry=True))
    assert "is counted" in report.page(kept)


def test_the_terminal_says_why_terms_are_left_out(results):
    text = " ".join(printed(results).split())
    assert "Left out: 1 term: never (does not occur in the text)." in text
    many = replace(results, left_out=tuple((f"t{k}", "is rare") for k in range(7)))
    assert "t4 (is rare); and 2 more." in " ".join(printed(many).split())


def test_notes_are_no_warnings(results):
    found = replace(results, notes=("A rule ran.",), warnings=("Something is wrong.",))
    text = printed(found)
    assert "Note: A rule ran." in text
    assert "Warning: Something is wrong." in text
    verdict = sections(found)[0]
    assert "Note: A rule ran." in verdict.text
    assert verdict.flags == ("Something is wrong.",)


def test_the_terminal_has_the_agreement_of_neighbours(results):
    text = " ".join(printed(results).split())
    assert "of 2 nearest words of a term, 50.0 % are the same in all 2 trainings." in text
    assert any(p.caption.endswith("trainings") for s in sections(with_stable(results))
               for p in s.parts if isinstance(p, Table))  # fmt: skip


def with_stable(found):
    stable = StableNeighbours("additive", "a", 2, (("x", 1.0),))
    return replace(found, stable_neighbours=(stable,))


def test_no_table_is_on_the_page_twice(results):
    found = [p.table if isinstance(p, Figure) else p for s in sections(results) for p in s.parts]
    assert len({(table.head, table.rows) for table in found}) == len(found)


def test_each_model_has_a_row_of_settings(results):
    about = {
        "rule": {"size": 10},
        "models": [{"name": "additive", "version": 1, "settings": {"window": "15"}}],
    }
    table = sections(replace(results, manifest=about))[-1].parts[0]
    assert [row[0] for row in table.rows] == ["samples", "model additive", "decision", "summary"]
    assert table.rows[1][1] == "window 15"


def test_the_terminal_fits_80_columns(results):
    lines = printed(results).splitlines()
    assert max(map(len, lines)) <= 80
    assert any("additive" in line and "%" in line and "random" in line for line in lines)


def test_hostile_terms_stay_text(hostile):
    page = report.page(hostile)
    for name in NAMES:
        if "<" in name:
            assert name not in page
    assert "\u202e" not in printed(hostile)
    for line in csv.reader(io.StringIO(report.csv(hostile))):
        assert not line[2].startswith(("=", "+", "@"))


def test_the_csv_has_a_row_for_each_term(results):
    rows = list(csv.DictReader(io.StringIO(report.csv(results))))
    assert len(rows) == 150
    assert float(rows[0]["cosine"]) == pytest.approx(results.terms[0].cosine)
    assert rows[0]["sentences"] == "2 2 2 2 2"


def test_latex_and_markdown_have_the_summary(results):
    latex, markdown = report.latex(results), report.markdown(results)
    assert latex.count(r"\\") == 1 + 3
    assert r"\toprule" in latex
    assert "| additive | random samples | 50 |" in markdown
    assert "#### Differences between models" in markdown


@pytest.mark.parametrize("number", [0, 1, 5])
def test_few_terms_have_a_page(number):
    found = summarise([simulated(terms=names(number))], background(), options=OPTIONS)
    report.page(found)
    report.latex(found)
    report.markdown(found)
    expected = "no term can be tested" if number > 0 else "consistency cannot be computed"
    assert expected in " ".join(printed(found).split())


def test_vectors_of_another_space_have_a_page():
    other = replace(simulated("svd"), in_background=False)
    page = report.page(summarise([other], background(names()), options=OPTIONS))
    assert "50 tested terms" in page


def test_no_models_have_a_page():
    empty = ConsistencyResults((), ())
    assert "consistency cannot be computed" in report.page(empty)
    assert "consistency cannot be computed" in printed(empty)


@pytest.mark.parametrize(
    ("corrected", "cell", "sentence"),
    [
        (CorrectedTerms(7, 0.001, 1), "7", "7 of 50 tested terms"),
        (CorrectedTerms(0, 0.001, 1), "none significant", "p-value is 0.001"),
        (CorrectedTerms(0, 0.02, None), "cannot select any", "cannot select any of 50"),
    ],
)
def test_no_term_after_correction_is_explained(results, corrected, cell, sentence):
    changed = replace(results, models=(replace(results.models[0], corrected=corrected),))
    assert learnable_table(changed).rows[0][4] == cell
    assert sentence in chance_sentence(changed)


def test_mean_ranks_have_intervals(results):
    assert " to " in summary_table(results).rows[1][6]


def test_figures_are_written_to_a_folder(results, tmp_path):
    paths = report.figures(results, tmp_path, ".svg")

    assert len(paths) == 2 + 3 + 4  # scatters, null distributions, size effects
    assert all(path.read_text("utf-8").startswith("<svg") for path in paths)


def test_markdown_has_every_table_of_the_page(results):
    text = report.markdown(results)

    captions = {
        part.caption.split(" (95")[0]
        for section in sections(results)
        if section.title not in {"Verdict", "Settings"}
        for part in section.parts
        if not isinstance(part, Figure)
    }
    missing = {each for each in captions if markdown_text(each) not in text}
    assert missing <= {"Neighbours in half or more of the trainings"} | {
        each for each in captions if each.startswith(("additive", "weak")) and "nearest" not in each
    }
