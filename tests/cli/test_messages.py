"""Messages recommend only what the command has, and name the file and the line."""

import pytest

BROKEN = "cat 1 2\ndog 1\nsun 3 4\ncup 2 0\n"


@pytest.fixture
def broken(folder):
    (folder / "broken.vec").write_text(BROKEN, "utf-8")
    (folder / "colours.csv").write_text("word,warm,cold\ncat,1,0\nsun,.5,.5\ncup,0,1\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "broken.vec", "--task", "similarity", "--dataset", "one.tsv"),
        ("convert", "broken.vec", "good.vec"),
        ("neighbours", "broken.vec", "cat"),
        ("dimensions", "broken.vec", "--dataset", "colours.csv"),
        ("check", "broken.vec", "--save", "new.json", "--task", "similarity", "--dataset",
         "one.tsv"),
    ],
)  # fmt: skip
def test_a_command_that_recommends_to_skip_broken_rows_can_do_so(call, broken, arguments):
    (broken / "one.tsv").write_text("cat\tsun\t1\nsun\tcat\t2\ncat\tcat\t3\n", "utf-8")

    stopped = call(*arguments, code=3)
    skipped = call(*arguments, "--on-error", "skip")

    assert "broken.vec:2: expected 2 numbers" in stopped.stderr
    assert "--on-error skip leaves such rows out" in stopped.stderr
    assert "broken: repairs while loading (1):" in skipped.stderr


def test_a_check_against_a_baseline_can_skip_broken_rows(call, broken):
    call("check", "first.vec", "--save", "old.json", "--task", "similarity", "--dataset",
         "pairs.tsv")  # fmt: skip
    whole = (broken / "first.vec").read_text("utf-8")
    (broken / "new.vec").write_text(f"{whole}extra 1 2\n", "utf-8")
    check = ("check", "new.vec", "--baseline", "old.json")

    stopped = call(*check, code=3)
    skipped = call(*check, "--on-error", "skip")

    assert "new.vec:" in stopped.stderr
    assert "new: repairs while loading" in skipped.stderr
    assert "Passed: 1 evaluation" in skipped.stdout


def test_an_experiment_can_skip_broken_rows_of_vectors(call, broken):
    (broken / "one.tsv").write_text("cat\tsun\t1\nsun\tcat\t2\ncat\tcat\t3\n", "utf-8")
    (broken / "mine.toml").write_text(
        '[evaluate]\nvectors = ["broken.vec"]\ntasks = ["similarity"]\ndatasets = ["one.tsv"]\n',
        "utf-8",
    )

    assert "broken.vec:2" in call("experiment", "mine.toml", code=3).stderr
    assert "repairs while loading" in call(
        "experiment", "mine.toml", "--on-error", "skip"
    ).stderr  # fmt: skip


@pytest.mark.parametrize("option", ["--fillers", "--frequencies"])
def test_a_table_that_does_not_exist_is_an_error_even_if_no_task_uses_it(call, option):
    ended = call("run", "first.vec", "--dataset", "pairs.tsv", option, "absent.tsv", code=3)

    assert ended.stderr.startswith("lexiscope: absent.tsv: there is no such file of ")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("first.vec", "first.vec"),
        ("first.vec", "./first.vec"),
        ("first.vec", "link.vec"),
        ("first.vec@first=2", "first.vec"),
    ],
)
def test_convert_does_not_overwrite_its_input(call, folder, source, target):
    (folder / "link.vec").symlink_to(folder / "first.vec")
    before = (folder / "first.vec").read_bytes()

    ended = call("convert", source, target, code=2)

    assert ended.stderr == (
        f"lexiscope: {target}: is the file to convert. Choose another name for the output.\n"
    )
    assert (folder / "first.vec").read_bytes() == before


def test_the_help_says_where_a_model_may_be_any_trainer(call):
    help_text = " ".join(call("reproduce", "--help").stdout.split())

    assert (
        "Only this model (repeatable). On synthetic languages (s0) also any trainer." in help_text
    )
    assert "No model named 'svd'" in call("reproduce", "s3", "--model", "svd", code=2).stderr


def test_an_unknown_model_lists_models_and_trainers(call):
    message = call("reproduce", "s0", "--model", "SKIPP", code=2).stderr

    assert "No model or trainer named 'SKIPP'. Did you mean 'SKIP'? Available: CBOW, " in message
    assert "SSKIP" in message
    assert "svd" in message


def test_a_broken_row_of_a_dataset_gives_one_sentence(call, folder):
    (folder / "mine.csv").write_text("word1,word2,rating\ncat,dog,9\ncat,sun,x\n", "utf-8")

    ended = call("run", "first.vec", "--dataset", "mine.csv", code=3)

    assert ended.stderr == "lexiscope: mine.csv:3: expected a number for the rating, found 'x'.\n"
