from pathlib import Path

import numpy as np
import pytest

from lexiscope.core.errors import BadData, TooLarge, UnknownName
from lexiscope.core.grammar import Grammar
from lexiscope.core.rules import Image, Symbol, Word
from lexiscope.data import grammars
from lexiscope.data.grammars import _notation

GOOD = """
about = "Two kinds of words."
rules = '''
S -> a V b [1/3] | b W a [2/3]
V -> v0..v2
W -> w0..w2
'''

[question]
positive = "w0..w2"
negative = "v0..v2"
held_out = "v2 w2"
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read a grammar from what its file says; the file is called mine.toml."""
    monkeypatch.chdir(tmp_path)

    def reads(said):
        Path("mine.toml").write_bytes(said if isinstance(said, bytes) else said.encode())
        return grammars.read("mine.toml")

    return reads


def said(text):
    return [
        (rule.symbol, " ".join(map(_name, rule.parts)), str(rule.weight))
        for rule in _notation.rules(text)
    ]


def _name(part):
    match part:
        case Word(spelling):
            return spelling.lower()
        case Symbol(name):
            return f"<{name}>"
        case Image(drawn, key):
            return f"{drawn}({key})"


def test_a_file_becomes_a_grammar(read):
    grammar = read(GOOD)

    assert grammar.name == "mine"
    assert grammar.about == "Two kinds of words."
    assert grammar.words == ("a", "b", "v0", "v1", "v2", "w0", "w1", "w2")
    assert grammar.question.held_out == ("v2", "w2")
    assert list(grammar.questions) == ["mine"]
    assert grammar.weights.tolist() == pytest.approx([1 / 3, 2 / 3, *[1 / 3] * 6])


def test_the_negative_class_is_all_other_words_where_it_is_not_said(read):
    grammar = read(GOOD.replace('negative = "v0..v2"\n', 'contexts = "a b"\n'))

    assert grammar.question.negative == ("a", "b", "v0", "v1", "v2")
    assert grammar.question.training(contexts=False) == ("w0", "w1", "v0", "v1")


def test_a_range_of_words_is_as_many_rules():
    assert said("A -> a0..a2 [1/3]") == [("A", f"a{i}", "1/3") for i in range(3)]
    assert said("A -> a0..a2 | b") == [("A", w, "1/4") for w in ("a0", "a1", "a2", "b")]


def test_ranges_of_one_rule_run_together():
    assert said("F -> x0..x1 U0..U1") == [("F", "x0 <U0>", "1/2"), ("F", "x1 <U1>", "1/2")]
    assert said("U0..U1 -> f [1/4] | mu(U0..U1) [3/4]") == [
        ("U0", "f", "1/4"),
        ("U0", "mu(U0)", "3/4"),
        ("U1", "f", "1/4"),
        ("U1", "mu(U1)", "3/4"),
    ]


def test_ranges_may_have_leading_zeros_and_an_ending():
    assert _notation.spelt("v08..v10") == ["v08", "v09", "v10"]
    assert _notation.spelt("x0nf..x2nf") == ["x0nf", "x1nf", "x2nf"]
    assert _notation.spelt("x9..x10") == ["x9", "x10"]
    assert _notation.spelt("x1000000000000008..x1000000000000009")[1] == "x1000000000000009"


def test_remarks_empty_lines_and_quotes_are_read():
    text = '\n# all of it\n # S -> x\nS -> "Paris" "a|b" é # the end\n'

    assert said(text) == [("S", "paris a|b é", "1/1")]


def test_the_grammars_of_the_paper_and_the_unified_one_are_there():
    assert grammars.names() == [
        "ambiguity",
        "multifacetedness",
        "nonconflation",
        "sparseness",
        "unified",
    ]


@pytest.mark.parametrize(
    ("name", "positive", "negative", "held_out", "training", "without_contexts"),
    [
        ("nonconflation", 5, 7, 4, 8, 6),
        ("sparseness", 20, 60, 20, 60, 20),
        ("ambiguity", 50, 90, 5, 135, 95),
        ("multifacetedness", 10, 10, 10, 10, 10),
    ],
)
def test_the_questions_of_the_paper(name, positive, negative, held_out, training, without_contexts):
    question = grammars.read(name).question

    assert (len(question.positive), len(question.negative)) == (positive, negative)
    assert len(question.held_out) == held_out
    assert len(question.training()) == training
    assert len(question.training(contexts=False)) == without_contexts


def test_the_sweep_of_the_paper_goes_from_equal_senses_to_three_to_one():
    grammar = grammars.read("ambiguity")

    assert grammar.sweep.parameter == "alpha"
    assert grammar.sweep.values == tuple(n / 10 for n in range(10, 21))
    assert grammar.at(alpha=2.0).parameters["beta"] == 0.25
    assert grammar.at(alpha=1.0).parameters["beta"] == 0.5


def test_nouns_teach_and_adjectives_are_asked():
    grammar = grammars.read("multifacetedness")
    types = grammar.types

    assert list(types) == [
        "noun-feminine",
        "noun-masculine",
        "adjective-feminine",
        "adjective-masculine",
    ]
    assert set(grammar.question.training()) == {
        *types["noun-feminine"],
        *types["noun-masculine"],
    }
    assert set(grammar.question.positive) == {
        *types["noun-feminine"],
        *types["adjective-feminine"],
    }


def test_the_unified_grammar_asks_four_questions():
    grammar = grammars.read("unified")

    assert list(grammar.questions) == [
        "nonconflation",
        "sparseness",
        "ambiguity",
        "multifacetedness",
    ]
    assert grammar.question is grammar.questions["nonconflation"]


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "mine.toml: A grammar needs rules, such as"),
        ('rules = ""', "mine.toml:1: A grammar needs rules"),
        ("rules = '''\n# none\n'''", "mine.toml:1: A grammar needs at least one rule."),
        ("rules = [1]", "mine.toml:1: 'rules' is text."),
        ("rules = '''\nS -> a", "mine.toml: is no grammar in TOML ("),
        ("rules = 'S -> a'\nrules = 'S -> b'", "mine.toml: is no grammar in TOML ("),
        (b"rules = 'S -> a'\n\xff", "mine.toml:2: is not UTF-8 text."),
        (changed("[1/3]", "[1/4]"), "mine.toml:4: The weights of S sum to 0.916667; they must"),
        (changed("[1/3]", "[4/3]"), "mine.toml:4: A weight of S is 1.33333 ('4/3'); weights"),
        (changed("[1/3]", "[1/]"), "mine.toml:4: '1/' is no formula"),
        (changed("[1/3]", "[1/0]"), "mine.toml:4: '1/0' is no number"),
        (changed("[1/3]", "[p]"), "mine.toml:4: Nothing says what 'p' in 'p' is."),
        (changed("[1/3]", ""), "mine.toml:4: Some rules of S have a weight and this one has none"),
        (changed("[1/3] |", "[1/3]"), "mine.toml:4: The weight [1/3] is not the last thing"),
        (changed("[1/3]", "[1/3"), "mine.toml:4: "),
        (changed("V ->", "V ="), "mine.toml:5: A rule is written as SYMBOL -> "),
        (changed("V ->", "v ->"), "mine.toml:5: A symbol is a name that begins with a capital"),
        (changed("V ->", "V W ->"), "mine.toml:5: One symbol stands before '->'"),
        (changed("W -> w0..w2\n", ""), "mine.toml:4: The symbol W has no rule. Add one, or"),
        (changed("W -> ", "Z -> z\nW -> "), "mine.toml:6: No sentence ever holds the symbol Z"),
        (changed("W -> w0", "W -> W W\nW -> w0"), None),
        (changed("W -> w0..w2", "W -> W w0"), "mine.toml:6: Sentences would never end"),
        (changed("W -> w0..w2", "W ->"), "mine.toml:6: A rule makes nothing"),
        (changed("W -> w0..w2", "W -> w0 | | w1"), "mine.toml:6: A rule makes nothing"),
        (changed("W -> w0..w2", "W -> w0 | w0"), "mine.toml:6: The same rule of W stands in line"),
        (changed("W -> w0..w2", "W -> w2..w0"), "mine.toml:6: A range goes up"),
        (changed("W -> w0..w2", "W -> w0..x2"), "mine.toml:6: A range is written as"),
        (changed("W -> w0..w2", "W -> w0..w999999999"), "mine.toml:6: A range goes up, over at"),
        (changed("W -> w0..w2", "W -> w0..w2 x0..x1"), "mine.toml:6: Ranges of 2 and 3 cannot"),
        (changed("W -> w0..w2", 'W -> "w 0"'), "mine.toml:6: A word is not empty and has no spa"),
        (changed("W -> w0..w2", 'W -> "'), "mine.toml:6: '\"' has a quote or bracket left open."),
        (changed("W -> w0..w2", "W -> w\x1b[0m"), "mine.toml: is no grammar in TOML ("),
        (changed("W -> w0..w2", "W -> w\u202e"), "mine.toml:6: The word 'w�' has characters that"),
        (changed("W -> w0..w2", "W -> mu(W)"), "mine.toml:6: There is no map called 'mu'."),
        (changed("W -> w0..w2", "W -> (w)"), "mine.toml:6: '(w)' has brackets"),
        (changed('"v2 w2"', '"v2 w3"'), "mine.toml:12: The word 'w3' occurs in no sentence."),
        (changed('"v2 w2"', '"v2 a"'), "mine.toml:12: The word 'a' is in neither class"),
        (changed('"v2 w2"', '"v2 v2"'), "mine.toml:12: The word 'v2' stands twice."),
        (changed('"v2 w2"', '"w0..w2"'), "mine.toml:12: Training needs words of both classes"),
        (changed('"v2 w2"', '""'), "mine.toml:12: There are no words here."),
        (changed('"v2 w2"', "3"), "mine.toml:12: Words are a text"),
        (changed('"v0..v2"', '"v0..v2 w1"'), "mine.toml:11: The word 'w1' is in both classes."),
        (
            changed("held_out", "heldout"),
            "mine.toml:12: No entry of a question named 'heldout'. Di",
        ),
        (changed('held_out = "v2 w2"', ""), "mine.toml:9: The question does not say its held_out"),
        (changed("about =", "abuot ="), "mine.toml:2: No entry named 'abuot'. Did you mean 'about"),
        (GOOD + "[questions.more]", "mine.toml:9: Write one [question], or several"),
        (GOOD + "[parameters]\np = 1", "mine.toml:14: No weight needs the parameter 'p'."),
        (GOOD + "[parameters]\np = true", "mine.toml:14: A parameter is a number, or a formula"),
        (GOOD + "[sweep]\np = [1]", "mine.toml:13: The sweep is over 'p', which is no parameter."),
        (GOOD + "[sweep]\np = 1", "mine.toml:13: A sweep is one parameter and its values"),
        (GOOD + '[types]\nx = "x"', "mine.toml:14: The word 'x' occurs in no sentence."),
        (GOOD + "[maps]\nmu = 3", "mine.toml:14: Words are a text"),
        (GOOD + "[maps]\nmu = 'x'", "mine.toml:14: No rule uses the map 'mu'."),
        ('extra = [""]\n' + GOOD, "mine.toml:1: A rule makes nothing"),
        ('extra = ["A b"]\n' + GOOD, "mine.toml:1: 'A b' is no sentence: put words with capitals"),
        ('extra = ["a [1]"]\n' + GOOD, "mine.toml:1: An extra sentence has words only"),
        ("extra = [3]\n" + GOOD, "mine.toml:1: 'extra' is a list of sentences"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence_with_its_place(read, text, sentence):
    if sentence is None:
        assert read(text).words  # W -> W W takes one of four ways, so sentences end
        return
    with pytest.raises(BadData) as told:
        read(text)

    assert str(told.value).startswith(sentence)
    assert "\n" not in str(told.value)


def test_a_sweep_is_tried_before_anything_is_sampled(read):
    text = changed("[1/3]", "[p]").replace("[2/3]", "[1 - p]")

    with pytest.raises(
        BadData, match=r"mine.toml:15: The grammar mine with p = 2.0: A weight of S"
    ):
        read(text + "[parameters]\np = 0.5\n[sweep]\np = [0.5, 2.0]")


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ('p = "p"', "mine.toml:14: The parameter 'p' depends on itself."),
        ('p = "r"\nr = "p"', "depends on itself"),
        ('p = "r"', "mine.toml:14: Nothing says what 'r' in 'r' is"),
        ("p = inf", "mine.toml:14: Nothing says what 'inf'"),
        ("\n".join(f'p{i} = "p{i + 1}"' for i in range(5000)) + '\np = "p0"', "at most 100 param"),
    ],
)
def test_parameters_that_mean_nothing_are_told(read, parameters, sentence):
    text = changed("[1/3]", "[p]").replace("[2/3]", "[1 - p]")

    with pytest.raises(BadData) as told:
        read(f"{text}[parameters]\n{parameters}\n")

    assert sentence in str(told.value)


def test_an_unknown_name_and_a_huge_file_are_told(read):
    with pytest.raises(UnknownName, match="Did you mean 'ambiguity'"):
        grammars.read("ambiguty")
    with pytest.raises(TooLarge, match="bytes for a grammar"):
        read("#" * (1 << 20) + "\n")


def test_a_file_of_windows_is_read_with_the_right_lines(read):
    assert read(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()).words
    with pytest.raises(BadData, match=r"mine\.toml:4: The symbol W"):
        read(GOOD.replace("W -> w0..w2\n", "").replace("\n", "\r\n"))


@pytest.mark.parametrize("name", ["multifacetedness", "ambiguity"])
def test_whatever_happens_to_a_file_it_is_read_or_told(read, name):
    rng = np.random.default_rng(3)
    good = grammars.shipped(name)
    pieces = [
        "[",
        "]",
        "|",
        '"',
        "->",
        "..",
        "#",
        "(",
        ")",
        "S",
        "9",
        "\n",
        "'''",
        "=",
        "é",
        " ",
        "\0",
    ]
    told = []
    for _ in range(200):
        at, gone = int(rng.integers(len(good))), int(rng.integers(4))
        text = good[:at] + str(rng.choice(pieces)) + good[at + gone :]
        try:
            read(text)
        except BadData as problem:
            told.append(str(problem))
    assert len(told) > 50
    assert all(each.startswith("mine.toml") and "\n" not in each for each in told)


@pytest.mark.parametrize(
    "text",
    [
        "S -> " + " | ".join(f"a{k}x0..a{k}x9999" for k in range(2000)),
        "S -> " + " ".join(f"a{k}x0..a{k}x9999" for k in range(2000)),
        "S -> " + "x" * 900_000 + "..",
        "S -> " + "x " * 450_000 + '"',
    ],
    ids=["ways", "parts", "long", "open"],
)
def test_files_that_would_take_all_memory_or_time_are_told(read, text):
    with pytest.raises(BadData, match=r"mine\.toml:2: "):
        read(f'rules = """\n{text}\n"""')


def test_a_large_grammar_is_read():
    rules = _notation.rules("S -> X0..X1999\nX0..X1999 -> x0..x1999 y")

    assert Grammar("large", "", rules).length == pytest.approx(2)
