import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lexiscope.core.display import guarded
from lexiscope.report.exports import (
    comparisons_csv,
    policies_csv,
    scores_csv,
    to_compact_latex,
    to_csv,
    to_latex,
    to_markdown,
    to_png,
    to_svg,
)
from lexiscope.report.exports.latex import escaped
from tests.report.hostile_words import HOSTILE, NAMES

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x"]
KNOWN = re.compile(
    r"\\(textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textendash|"
    r"textasciigrave|texttimes|ldots|dag)\{\}|\\symbol\{34\}|\\[{}$&#_%]|\{[\[\]*]\}|-\{\}"
)


def _read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_becomes_text(text):
    assert guarded(text) == f"'{text}"


def test_other_text_is_unchanged():
    assert guarded("a=1") == "a=1"


def test_csv_has_a_row_for_every_score(results):
    rows = _read(scores_csv(results))

    assert len(rows) == len(results.results) + len(results.breakdowns)
    assert rows[0]["embedding"] == results.results[0].embedding
    assert float(rows[0]["value"]) == results.results[0].value
    assert rows[0]["main"] == "true"
    assert len(_read(policies_csv(results))) == len(results.other_policies)


def test_csv_has_a_row_for_every_comparison(results):
    rows = _read(comparisons_csv(results))

    assert [row["p_bh"] for row in rows if row["p_bh"]]
    assert len(rows) == len(results.comparisons)
    assert [row["outcome"] for row in rows] == [c.outcome for c in results.comparisons]
    assert "items_needed" not in rows[0]


def test_csv_has_the_scores_on_shared_items(results):
    short = next(r for r in results.main() if r.embedding == "short" and r.dataset == "pairs")
    rows = _read(scores_csv(results))

    (row,) = [
        r
        for r in rows
        if (r["embedding"], r["dataset"], r["metric"]) == ("short", "pairs", short.metric)
        and (r["slice"], r["task"]) == ("all", short.task)
    ]
    shared = "" if short.shared_value is None else str(short.shared_value)
    assert (row["shared_value"], row["shared_items"]) == (shared, str(short.shared_items))


def test_negative_numbers_stay_numbers(results):
    below = [r for r in results.results if (r.value or 0) < 0]
    cells = {row["value"] for row in _read(scores_csv(results))}

    assert below
    assert all(str(r.value) in cells for r in below)


def test_hostile_words_are_not_formulas_in_csv(hostile):
    for text in (scores_csv(hostile), comparisons_csv(hostile), policies_csv(hostile)):
        for row in csv.reader(io.StringIO(text, newline="")):
            for cell in row:
                assert not cell.startswith(tuple("=@\t\r\n＝＋－＠"))
                assert not cell.startswith(("+", "-")) or float(cell) is not None


def test_csv_into_a_folder_or_a_file(results, tmp_path):
    folder = to_csv(results, tmp_path / "tables")
    file = to_csv(results, tmp_path / "scores.csv")

    assert [path.name for path in folder] == ["scores.csv", "comparisons.csv", "policies.csv"]
    assert file == [tmp_path / "scores.csv"]
    assert file[0].read_bytes() == folder[0].read_bytes()


def test_a_name_with_invalid_bytes_is_written_to_csv(results, tmp_path):
    odd = replace(results.results[0], embedding="caf\udce9")

    path = to_csv(replace(results, results=(odd,), breakdowns=()), tmp_path / "a.csv")[0]

    assert "caf?" in path.read_text("utf-8")


def test_markdown_marks_the_best_and_the_significantly_better(different):
    lines = to_markdown(different).splitlines()

    assert lines[0] == "| task | dataset | metric | good | noise |"
    assert lines[1] == "| --- | --- | --- | ---: | ---: |"
    assert lines[2].startswith("| similarity | pairs | spearman | **1.000**<sup>a†</sup>")
    assert "<sup>b</sup>" in lines[2]


def test_markdown_has_no_dagger_without_a_significant_difference(results):
    none = replace(
        results,
        comparisons=tuple(
            replace(c, significant=False, outcome="undecided") for c in results.comparisons
        ),
    )

    assert "a†" not in to_markdown(none)


def test_hostile_words_are_escaped_in_markdown(hostile):
    table = to_markdown(hostile).partition("\n\n")[0]

    for line in table.splitlines():
        assert len(re.findall(r"(?<!\\)\|", line)) == len(NAMES) + 4
    without = table.replace("<sup>", "").replace("</sup>", "")
    assert "<" not in without
    assert not re.search(r"(?<!\\)[\[\]`$]", without)


def test_latex_is_a_booktabs_table(different):
    text = to_latex(different)

    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{", r"\label{tab:lexiscope}"):
        assert text.count(part) == 1
    assert r"similarity & pairs & spearman & \textbf{1.000}\textsuperscript{a\dag{}}" in text
    assert r"5 \% level" in text


def test_every_latex_row_has_the_same_number_of_cells(results):
    rows = [line for line in to_latex(results).splitlines() if line.endswith(r" \\")]

    assert len(rows) == 1 + len(results.evaluations)
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {2 + len(results.embeddings)}


def test_a_negative_score_has_a_minus_sign(different):
    low = replace(different.results[0], value=-0.25, low=-0.5, high=0.0)

    assert r"$-$0.250" in to_latex(replace(different, results=(low,)))


@given(some.text() | some.sampled_from(HOSTILE))
def test_any_word_is_escaped_in_latex(word):
    rest = KNOWN.sub("", escaped(word))

    assert not set(rest) & set('\\{}$&#^_%~<>|"`[]*')
    assert "--" not in escaped(word)


def test_hostile_words_are_escaped_in_latex(hostile):
    text = to_latex(hostile)
    body = text.partition(r"\toprule")[2].partition(r"\bottomrule")[0]

    assert r"\write18" not in text
    assert r"\input" not in text
    assert r"\textbackslash{}write18\{ls\}" in text
    depth = re.sub(r"\\[{}]", "", body)
    assert depth.count("{") == depth.count("}")


def test_figures_are_named_by_section_and_title(results, tmp_path):
    paths = to_svg(results, tmp_path / "figures")

    assert paths[0].name.startswith("01-score-tables-")
    assert any("rank-correlation" in path.name for path in paths)
    assert any("over-the-vocabulary-limit" in path.name for path in paths)
    assert all(ElementTree.parse(path).getroot().tag.endswith("svg") for path in paths)


def test_hostile_words_are_plain_text_in_figures_and_file_names(hostile, tmp_path):
    for path in to_svg(hostile, tmp_path / "figures"):
        assert path.parent == tmp_path / "figures"
        assert re.fullmatch(r"[a-z0-9-]+\.svg", path.name)
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.parse(path).iter()}
        assert tags <= {"svg", "g", "path", "text", "rect", "line", "defs", "clipPath", "title"}


def test_png_figures_are_png_files(different, tmp_path):
    paths = to_png(different, tmp_path)

    assert paths
    for path in paths:
        assert path.read_bytes().startswith(b"\x89PNG")
        width = int.from_bytes(path.read_bytes()[16:20], "big")
        assert width > 1200


_DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def _many(results, number):
    """The results with copies of the first embedding under long names."""
    first, names = results.embeddings[0], [f"word2vec-window-{n}-dimension" for n in range(number)]
    rows = [replace(r, embedding=n) for n in names for r in results.results if r.embedding == first]
    known = results.manifest["embeddings"]
    manifest = {
        **results.manifest,
        "embeddings": [*known, *({**known[0], "name": n} for n in names)],
    }
    return replace(results, results=(*results.results, *rows), manifest=manifest)


def test_the_compact_table_has_scores_only_and_splits_wide_rows(different):
    text = to_compact_latex(_many(different, 6))

    rows = [line.removesuffix(r" \\") for line in text.splitlines() if " & " in line]
    assert text.count(r"\begin{tabular}") == text.count(r"\medskip") + 1 > 1
    assert all(len(row) < 160 for row in rows)
    assert " to " not in "".join(rows)
    assert text.count("word2vec-window-") == 6


def test_latex_compiles_and_the_compact_table_fits_the_text_width(different, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex (Debian: texlive-latex-recommended)")
    compact = to_compact_latex(_many(different, 6))
    logs = {
        name: _compiled(text, tmp_path / f"{name}.tex")
        for name, text in {"compact": compact, "full": to_latex(different)}.items()
    }

    assert "Overfull \\hbox" not in logs["compact"]
    assert "Output written" in logs["full"]


def _compiled(text, path):
    """The log of pdflatex."""
    path.write_text(_DOCUMENT % text, "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    ended = subprocess.run(
        [*command, path.name], cwd=path.parent, capture_output=True, check=False, timeout=120
    )
    log = path.with_suffix(".log").read_text("utf-8", "replace")
    assert ended.returncode == 0, log[-2000:]
    return log
