import csv
import io
import json
import re
import shlex
import shutil
from pathlib import Path

import click
import numpy as np
import pytest

import lexiscope
from lexiscope.cli.commands.study import command
from tests.builders import counted, seeded, synthetic_words
from tests.human.exchange import quine

WORDS = synthetic_words(300)


@pytest.fixture
def vectors(folder):
    numbers = np.sort(np.random.default_rng(0).integers(5, 3000, 300))[::-1]
    for seed, name in enumerate(("one", "two", "three")):
        made = counted(name, WORDS, seeded(name, WORDS, seed).vectors, numbers)
        lexiscope.save(made, folder / f"{name}.safetensors")
    (folder / "words.txt").write_text("\n".join(WORDS[:30]) + "\nabsent\n")
    return [f"{name}.safetensors" for name in ("one", "two", "three")]


@pytest.fixture
def study(call, vectors):
    call("study", "new", "my.study", *vectors, "--words", "words.txt", "--rank", "1", "--rank", "5",
         "--items-per-judge", "20", "--judges-per-item", "5")  # fmt: skip
    return "my.study"


def test_a_study_is_made_previewed_simulated_and_scored(call, study, folder):
    assert "60 items" not in call("study", "preview", study, "--blind").stdout
    simulated = call("study", "simulate", study, "--quality", "one=1.5").stdout
    assert "simulated judges gave" in simulated
    ended = call("study", "results", study, "--report", "page.html", "--csv", "items.csv")

    assert "one has the highest win ratio" in " ".join(ended.stdout.split())
    assert max(map(len, ended.stdout.splitlines())) <= 120
    assert "Whose neighbours do people prefer?" in (folder / "page.html").read_text("utf-8")
    assert (folder / "items.csv").read_text().startswith("item,query,rank,embedding")


def test_a_new_study_says_what_it_needs_and_what_is_left_out(call, vectors):
    said = call("study", "new", "s.study", *vectors, "--words", "words.txt", "--pay", "2").stdout

    assert "30 query words and 3 embeddings" in said.replace("\n", " ")
    assert "USD per hour" in said.replace("\n", " ")
    assert "absent: not in all embeddings" in said.replace("\n", " ")
    assert max(map(len, said.splitlines())) <= 80


def test_a_blind_preview_reveals_no_embedding(call, study):
    blind = call("study", "preview", study, "--blind", "-n", "50").stdout
    open_ = call("study", "preview", study, "-n", "50").stdout

    assert "three" not in blind
    assert "three" in open_
    assert max(map(len, open_.splitlines())) <= 80


def test_json_of_every_part(call, study):
    new = json.loads(call("study", "status", study, "--json").stdout)
    assert new["judgments"] == 0
    items = json.loads(call("study", "preview", study, "--json", "-n", "3").stdout)
    assert len(items) == 3
    call("study", "simulate", study, "--judges", "3", "--json")
    results = json.loads(call("study", "results", study, "--json").stdout)
    assert {each["embedding"] for each in results["scores"]} == {"one", "two", "three"}
    closed = json.loads(call("study", "close", study, "--json").stdout)
    assert closed == {"closed": True}


def test_settings_can_be_edited_until_they_decide_on_items(call, study):
    said = call("study", "edit", study, "--contact", "new@example.org", "--full-code", "F2").stdout
    assert "contact: new@example.org\nfull code: F2\n" in said
    found = json.loads(call("study", "edit", study, "--items-per-judge", "4", "--json").stdout)
    assert found == {"items_per_judge": 4}
    assert "more judges needed" in call("study", "status", study).stdout
    assert "at least one setting" in call("study", "edit", study, code=2).stderr

    call("study", "simulate", study, "--judges", "2")

    refused = call("study", "edit", study, "--items-per-judge", "5", code=2).stderr
    assert "judges have started" in refused
    call("study", "edit", study, "--title", "Other")


def test_an_inventory_needs_no_vectors(call, study):
    counts = "".join(f"w{k}\t{10 * k + 1}\n" for k in range(20))
    Path("counts.tsv").write_text(counts)
    Path("own.txt").write_text("w1\nw19\n")
    said = call("study", "inventory", "own.csv", "--words", "own.txt", "--frequencies",
                "counts.tsv", "--rare-below", "50").stdout  # fmt: skip

    assert "own.csv, 2 words" in said
    assert Path("own.csv").read_text("utf-8").split() == [
        "word,frequency", "w1,rare", "w19,frequent",
    ]  # fmt: skip


def test_quotas_are_options_of_words_that_are_sampled(call, study):
    refused = call("study", "inventory", "i.csv", "--words", "words.txt",
                   "--words-per-category", "3", code=2).stderr  # fmt: skip
    assert "leave out --words" in refused
    refused = call("study", "inventory", "i.csv", "--category", "noun.food", code=2).stderr
    assert "NAME=abstract or NAME=concrete" in refused


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"words_per_category": 3}, (10, 3, 1)),
        ({"words_per_category": 5, "rare_per_category": 0}, (10, 5, 0)),
        ({"categories": ("noun.food=concrete",)}, (1, 10, 3)),
    ],
)
def test_quotas_keep_the_proportion_of_the_paper(given, expected):
    from lexiscope.cli.commands._study_inventory import words_from

    none = {"words": None, "rare_below": None, "categories": (), "words_per_category": None,
            "rare_per_category": None}  # fmt: skip
    quotas = words_from({**none, **given}).quotas
    assert (len(quotas.categories), quotas.words, quotas.rare) == expected


def test_tables_and_figures_are_written_to_folders(call, study):
    call("study", "simulate", study, "--judges", "3")
    call("study", "results", study, "--tables", "tables", "--svg", "svg", "--png", "png")

    assert Path("tables/01-win-ratio-of-each-embedding.csv").is_file()
    assert len(list(Path("svg").glob("*.svg"))) == len(list(Path("png").glob("*.png"))) > 0


def test_simulated_judges_never_mix_with_others(call, study):
    call("study", "simulate", study, "--judges", "2")

    assert "has judges already" in call("study", "simulate", study, code=3).stderr


def test_one_judge_can_be_forgotten(call, study):
    call("study", "simulate", study, "--judges", "2")
    said = call("study", "forget", study, "simulated0001").stdout

    assert "Deleted judge simulated0001" in said
    assert "1 judge," in call("study", "status", study).stdout
    assert "no judge" in call("study", "forget", study, "simulated0001", code=3).stderr
    assert "Give the id of a judge" in call("study", "forget", study, code=2).stderr


def test_proxies_solve_intrusion_items(call, vectors):
    call("study", "new", "i.study", *vectors, "--words", "words.txt", "--task", "intrusion")
    said = call("study", "proxies", "i.study", *vectors).stdout

    assert "chance level 0.250" in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["results", "absent.study"], 3, "no such study file"),
        (["results", "my.study"], 3, "no judgments that can be scored"),
        (["simulate", "my.study", "--quality", "four=1"], 2, "No embedding named 'four'"),
        (["simulate", "my.study", "--quality", "one"], 2, "--quality takes NAME=NUMBER"),
        (["proxies", "my.study"], 2, "items of intrusion studies"),
        (["serve", "my.study", "--host", "0.0.0.0"], 2, "--behind-proxy"),
    ],
)
def test_bad_usage_gives_one_sentence(call, study, arguments, code, message):
    ended = call("study", *arguments, code=code)

    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_study_is_never_overwritten(call, study, vectors):
    ended = call("study", "new", study, *vectors, "--words", "words.txt", code=3)

    assert "never overwritten" in ended.stderr


def test_power_of_a_study_and_of_one_without_a_file(call, study):
    design = ["--difference", "0.3", "--replicates", "3", "--queries", "10", "--queries", "20",
              "--judges-per-item", "4"]  # fmt: skip
    own = call("study", "power", study, *design, "--wage", "12").stdout
    found = json.loads(call("study", "power", *design, "--embeddings", "3", "--json").stdout)

    assert "the win ratio of one embedding is 0.3 above" in " ".join(own.split())
    assert "cost, USD" in own
    assert max(map(len, own.splitlines())) <= 80
    assert [cell["queries"] for cell in found["cells"]] == [10, 20]
    assert found["embeddings"] == 3
    assert found["cells"][0]["power"]["low"] < found["cells"][0]["power"]["high"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["my.study", "--embeddings", "3"], "describes a study without FILE"),
        (["my.study", "--better", "four"], "No embedding named 'four'"),
        (["--difference", "2"], "between 0 and 1"),
        (["--queries", "3"], "Fewer than 6 query words"),
    ],
)
def test_impossible_power_gives_one_sentence(call, study, arguments, message):
    assert message in call("study", "power", *arguments, code=2).stderr


def test_published_judgments_of_experts_become_two_studies(call, folder):
    quine.write(folder / "quine")
    said = call("study", "import", "synonyms.study", "quine").stdout
    call("study", "import", "coherence.study", "quine", "--task", "intrusion")

    assert "12 new judgments and 3 new judges" in said
    ended = call("study", "results", "synonyms.study").stdout
    assert "allow no statement on how good" in " ".join(ended.split())
    ended = call("study", "results", "coherence.study", "--opt-outs", "include").stdout
    assert "N2V consistency has the highest precision, 0.750" in " ".join(ended.split())


PAGES = sorted((Path(__file__).parents[2] / "docs" / "studies").glob("*.md"))
PAGES += [Path(__file__).parents[2] / "docs" / "commands" / "study.md"]


def printed_commands():
    """Every command of lexiscope study in the pages, with continued lines joined."""
    for page in PAGES:
        text = page.read_text("utf-8").replace("\\\n", " ")
        for found in re.findall(r"lexiscope study [a-z]+ [^`\n#]+", text):
            yield pytest.param(found.strip(), id=f"{page.stem}: {found.strip()[:60]}")


@pytest.mark.parametrize("line", list(printed_commands()))
def test_every_command_of_the_pages_has_these_options(line):
    name, *arguments = shlex.split(line)[2:]
    found = command.commands[name]
    context = click.Context(found, info_name=name)

    found.make_parser(context).parse_args([a for a in arguments if a != "..."])


def test_the_steps_of_the_pages_run_as_printed(call, vectors, folder):
    """The way of docs/studies/README.md and data-format.md, with small vectors and designs."""
    call("study", "new", "words.study", *vectors, "--words", "words.txt", "--rank", "1",
         "--judges-per-item", "3", "--title", "Which word is closest?")  # fmt: skip
    call("study", "preview", "words.study", "--blind")
    shutil.copy(folder / "words.study", folder / "rehearsal.study")
    call("study", "simulate", "rehearsal.study")
    call("study", "results", "rehearsal.study", "--report", "rehearsal.html")
    call("study", "status", "words.study")
    call("study", "export", "rehearsal.study", "--format", "publish", "-o", "words-data")
    call("study", "import", "again.study", "words-data")
    one, again = (json.loads(call("study", "results", name, "--json").stdout)
                  for name in ("rehearsal.study", "again.study"))  # fmt: skip
    assert one["scores"] == again["scores"]
    call("study", "export", "rehearsal.study", "--format", "judgments", "-o", "judgments.csv")
    ended = call("study", "import", "rehearsal.study", "judgments.csv")
    assert "0 new judgments" in ended.stdout
    call(
        "study", "export", "words.study", "--format", "spreadsheet", "--judges", "2", "-o", "sheets"
    )
    for path in (folder / "sheets").glob("*.csv"):
        rows = path.read_text("utf-8-sig").splitlines()
        path.write_text("\n".join([rows[0], *(fill(rows[0], row) for row in rows[1:])]), "utf-8")
    said = call("study", "import", "words.study", "sheets", "--format", "spreadsheet").stdout
    assert "2 new judges" in said
    call("study", "close", "words.study")


def fill(head, row):
    """The row with the first option as the answer."""
    fields = next(csv.reader([row]))
    fields[head.split(",").index("answer")] = "1"
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(fields)
    return text.getvalue()
