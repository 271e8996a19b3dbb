"""The report on learning curves: page, terminal and exports."""

import csv
import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from lexiscope.core.decision import DecisionRule
from lexiscope.core.versions import versions
from lexiscope.experiments.curves.summary import summarise
from lexiscope.report import curves as report
from lexiscope.report.curves.sections import sections
from lexiscope.report.layout import Figure
from tests.experiments.curves.simulated import simulated
from tests.report.hostile_words import NAMES


def named(found, names, dataset, labels):
    """A dataset with other names."""
    entries = tuple(
        replace(e, embedding=names.get(e.embedding, e.embedding)) for e in found.entries
    )
    return replace(found, dataset=dataset, classes=labels, entries=entries)


@pytest.fixture(scope="module")
def results():
    found = summarise([simulated(), simulated("simlex", family="pairs", seed=1)])
    entries = [{"name": "glove", "sha256": "ab" * 32}]
    return replace(found, manifest={"versions": versions(), "seed": 7, "embeddings": entries})


@pytest.fixture(scope="module")
def hostile():
    names = {"glove": NAMES[0], "svd": NAMES[1]}
    found = named(simulated(), names, NAMES[2], ("<svg onload=alert(1)>", "=1+1"))
    about = {"datasets": [{"name": NAMES[0], "items": 1, "total": 2, "notes": [NAMES[1]]}]}
    return replace(summarise([found]), manifest=about)


def printed(results) -> str:
    console = Console(width=80, file=io.StringIO())
    for part in report.terminal(results):
        console.print(part)
    return console.file.getvalue()


def test_the_verdict_is_the_first_section(results):
    first = sections(results)[0]

    assert first.title == "Verdict"
    assert first.text[0].startswith("Use glove: the area under its learning curve is significantly")
    assert "times the labels of svd" in first.text[0]


def test_the_page_has_every_part(results):
    text = report.page(results)

    for title in (
        "Learning curves", "Summary", "Labels needed", "Differences", "Curves by model",
        "Non-linear and linear models", "Ranks", "Description length", "Expected loss",
        "Datasets and coverage", "Settings",
    ):  # fmt: skip
        assert f"<h2>{title}</h2>" in text
    assert "ab" * 32 in text
    curve = results.curve("colours", "svd")
    assert f"{curve.area.value:.3f}" in text


def test_every_chart_has_a_table_and_a_description(results):
    figures = [p for s in sections(results) for p in s.parts if isinstance(p, Figure)]

    assert len(figures) == 6
    for figure in figures:
        assert figure.table.rows
        assert "The table below has the same data." in figure.spec["description"]


def test_charts_are_drawn_in_a_browser(results, browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(report.page(results), "utf-8")
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("console", lambda message: problems.append(message.text))

    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn=yes]", timeout=60_000)

    assert page.locator("[data-drawn=yes] svg").count() >= 6
    assert "could not be drawn" not in page.inner_text("body")
    assert not problems


def test_the_terminal_fits_80_columns_and_ends_with_the_verdict(results):
    text = printed(results)

    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert "colours: glove needs 0.17 times the labels of svd (0.13 to 0.23)." in flat
    assert flat.index("Use glove") > flat.index("colours: glove needs")


def test_names_stay_text(hostile):
    text = report.page(hostile)

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "<svg onload" not in text


def named_markup():
    return summarise([named(simulated(), {"glove": "[bold]x[/bold]"}, "[red]d", ("a", "b"))])


def test_markup_in_names_is_printed_as_text():
    assert "[bold]x[/bold]" in printed(named_markup())


def test_the_csv_has_a_row_for_each_embedding_dataset_model_and_size(results):
    rows = list(csv.DictReader(io.StringIO(report.csv(results))))

    assert len(rows) == sum(len(curve.points) for curve in results.curves)
    wanted = {"embedding": "svd", "dataset": "colours", "model": "best", "size": "300"}
    (row,) = (r for r in rows if all(r[key] == value for key, value in wanted.items()))
    end = results.curve("colours", "svd").end
    assert [float(row[key]) for key in ("score", "low", "high")] == [end.value, end.low, end.high]


def test_the_csv_has_no_formulas():
    found = summarise([named(simulated(), {"glove": "=HYPERLINK(1)"}, "@SUM(1)", ("a", "b"))])

    cells = [cell for row in csv.reader(io.StringIO(report.csv(found))) for cell in row]

    assert not [cell for cell in cells if re.match(r"[=@+]|-\D", cell)]


def test_latex_is_escaped(hostile):
    text = report.latex(summarise([named(simulated(), {"svd": "a_b & 50%"}, "x#y", ("a", "b"))]))

    assert r"a\_b \& 50\%" in text
    assert r"x\#y" in text
    assert report.latex(hostile).count(r"\begin{tabular}") == 1


def test_markdown_has_the_verdict_and_the_summary(results):
    text = report.markdown(results)

    assert text.startswith("Use glove")
    assert "| colours | svd |" in text


def verdict(*datasets, **options):
    return sections(summarise(list(datasets), **options))[0].text[:2]


EQUAL = {"glove": 60.0, "svd": 60.0, "random vectors": 1e9}


def test_what_is_not_significant_is_undecided_not_equal():
    first, second = verdict(simulated("verbs", EQUAL, seed=2))

    assert first == (
        "Undecided between glove and svd: no difference between the areas under their learning "
        "curves is significant."
    )
    assert "1 undecided: glove minus svd on verbs" in second


def test_equivalent_embeddings_are_both_recommended():
    first, second = verdict(simulated("verbs", EQUAL, seed=2), rule=DecisionRule(margin=0.2))

    assert first.startswith(
        "Use glove or svd: the areas under their learning curves are equivalent"
    )
    assert "1 equivalent within ±0.2 and 0 undecided" in second


def test_the_choice_can_depend_on_the_dataset():
    first, _ = verdict(simulated(), simulated("other", {"glove": 120.0, "svd": 20.0}, seed=3))

    assert first.startswith("The choice depends on the dataset")
    assert "larger than that of svd on colours and smaller on other" in first


def test_one_embedding_is_shown_next_to_the_control():
    first, second = verdict(simulated(embeddings={"glove": 20.0, "random vectors": 1e9}))

    assert first == "One embedding was evaluated, so there are no differences to test."
    assert re.search(r"colours: 1\.000, random vectors 0\.\d{3}", second)


def test_a_ratio_without_limits_is_not_claimed():
    found = summarise([simulated()], target=0.2)

    assert "an unknown fraction of the labels of" in printed(found)
    assert "the number of labels it saves is undecided" in " ".join(
        verdict(simulated(), target=0.2)
    )


def test_a_report_without_versions_is_possible():
    assert "<h2>Verdict</h2>" in report.page(summarise([simulated(repeats=1)]))


def test_an_embedding_that_is_no_better_than_the_control_is_named():
    found = summarise([simulated(embeddings={"useless": 1e9, "random vectors": 1e9})])

    assert "Not significantly better than random vectors by area: useless on colours." in " ".join(
        printed(found).split()
    )


def test_shared_words_are_flagged(results):
    leak = replace(results, manifest={"protocol": {"shared_words": True}})

    assert sections(leak)[0].flags
    assert "Warning: Words of test items occur" in printed(leak)
    reported = replace(leak, warnings=("rated: test words occur in training items, as requested.",))
    assert printed(reported).count("Warning:") == 1
    assert not sections(results)[0].flags


def test_sizes_other_than_30_and_100_per_cent_are_not_called_so(results):
    assert "at 30 %" in report.markdown(results)
    other = replace(simulated(), pool=1100)

    found = summarise([other])

    text = report.page(found)
    assert "at min size" in text
    assert "at max size" in text
    assert "at 30 %" not in text
    assert "rank at min size" in text
    assert "at min size and at max size of the training items" in report.latex(found)
    assert re.search(r" min +max +labels", printed(found))
    curve = found.curve("colours", "svd")
    assert (curve.start, curve.end) == (curve.points[0], curve.points[-1])
