from pathlib import Path

import numpy as np
import pytest

from lexiscope.core.errors import BadData, TooLarge, UnknownName
from lexiscope.pcfg import notation as _notation
from lexiscope.pcfg import reader as grammars
from lexiscope.pcfg.grammar import Grammar
from lexiscope.pcfg.rules import Image, Symbol, Word

GOOD = """
about = "Two kinds of words."
rules = '''
S -> a V b [1/3] | b W a [2/3]
V -> v0..v2
W -> w0..w2
'''

[target]
positive = "w0..w2"
negative = "v0..v2"
held_out = "v2 w2"
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read a grammar from the content of its file, which is called mine.toml."""
    monkeypatch.chdir(tmp_path)

    def reads(text):
        Path("mine.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return grammars.read("mine.toml")

    return reads


def parsed(text):
    return [
        (rule.symbol, " ".join(map(_name, rule.parts)), str(rule.probability))
        for rule in _notation.rules(text)
    ]


def _name(part):
    match part:
        case Word(text):
            return text.lower()
        case Symbol(name):
            return f"<{name}>"
        case Image(name, key):
            return f"{name}({key})"


def test_a_file_becomes_a_grammar(read):
    grammar = read(GOOD)

    assert grammar.name == "mine"
    assert grammar.about == "Two kinds of words."
    assert grammar.words == ("a", "b", "v0", "v1", "v2", "w0", "w1", "w2")
    assert grammar.target.held_out == ("v2", "w2")
    assert list(grammar.targets) == ["mine"]
    assert grammar.probabilities.tolist() == pytest.approx([1 / 3, 2 / 3, *[1 / 3] * 6])


def test_the_negative_class_is_by_default_all_other_words(read):
    grammar = read(GOOD.replace('negative = "v0..v2"\n', 'contexts = "a b"\n'))

    assert grammar.target.negative == ("a", "b", "v0", "v1", "v2")
    assert grammar.target.training(contexts=False) == ("w0", "w1", "v0", "v1")


def test_a_range_of_words_expands_to_as_many_rules():
    assert parsed("A -> a0..a2 [1/3]") == [("A", f"a{i}", "1/3") for i in range(3)]
    assert parsed("A -> a0..a2 | b") == [("A", w, "1/4") for w in ("a0", "a1", "a2", "b")]


def test_ranges_of_one_rule_advance_together():
    assert parsed("F -> x0..x1 U0..U1") == [("F", "x0 <U0>", "1/2"), ("F", "x1 <U1>", "1/2")]
    assert parsed("U0..U1 -> f [1/4] | mu(U0..U1) [3/4]") == [
        ("U0", "f", "1/4"),
        ("U0", "mu(U0)", "3/4"),
        ("U1", "f", "1/4"),
        ("U1", "mu(U1)", "3/4"),
    ]


def test_ranges_may_have_leading_zeros_and_a_suffix():
    assert _notation.expanded("v08..v10") == ["v08", "v09", "v10"]
    assert _notation.expanded("x0nf..x2nf") == ["x0nf", "x1nf", "x2nf"]
    assert _notation.expanded("x9..x10") == ["x9", "x10"]
    assert _notation.expanded("x1000000000000008..x1000000000000009")[1] == "x1000000000000009"


def test_comments_empty_lines_and_quotes_are_parsed():
    text = '\n# all of it\n # S -> x\nS -> "Paris" "a|b" é # the end\n'

    assert parsed(text) == [("S", "paris a|b é", "1/1")]


def test_the_grammars_of_the_paper_and_the_unified_one_are_included():
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
def test_the_targets_of_the_paper(name, positive, negative, held_out, training, without_contexts):
    target = grammars.read(name).target

    assert (len(target.positive), len(target.negative)) == (positive, negative)
    assert len(target.held_out) == held_out
    assert len(target.training()) == training
    assert len(target.training(contexts=False)) == without_contexts


def test_the_sweep_of_the_paper_ranges_from_equal_senses_to_three_to_one():
    grammar = grammars.read("ambiguity")

    assert grammar.sweep.parameter == "alpha"
    assert grammar.sweep.values == tuple(n / 10 for n in range(10, 21))
    assert grammar.at(alpha=2.0).parameters["beta"] == 0.25
    assert grammar.at(alpha=1.0).parameters["beta"] == 0.5


def test_nouns_are_the_training_set_and_adjectives_the_test_set():
    grammar = grammars.read("multifacetedness")
    types = grammar.types

    assert list(types) == [
        "noun-feminine",
        "noun-masculine",
        "adjective-feminine",
        "adjective-masculine",
    ]
    assert set(grammar.target.training()) == {
        *types["noun-feminine"],
        *types["noun-masculine"],
    }
    assert set(grammar.target.positive) == {
        *types["noun-feminine"],
        *types["adjective-feminine"],
    }


def test_the_unified_grammar_has_four_targets():
    grammar = grammars.read("unified")

    assert list(grammar.targets) == [
        "nonconflation",
        "sparseness",
        "ambiguity",
        "multifacetedness",
    ]
    assert grammar.target is grammar.targets["nonconflation"]


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "mine.toml: A grammar needs rules, such as"),
        ('rules = ""', "mine.toml:1: A grammar needs rules"),
        ("rules = '''\n# none\n'''", "mine.toml:1: A grammar needs at least one rule."),
        ("rules = [1]", "mine.toml:1: 'rules' must be a string."),
        ("rules = '''\nS -> a", "mine.toml: is not valid TOML ("),
        ("rules = 'S -> a'\nrules = 'S -> b'", "mine.toml: is not valid TOML ("),
        (b"rules = 'S -> a'\n\xff", "mine.toml:2: is not UTF-8 text."),
        (
            changed("[1/3]", "[1/4]"),
            "mine.toml:4: The probabilities of S sum to 0.916667; they must",
        ),
        (
            changed("[1/3]", "[4/3]"),
            "mine.toml:4: A probability of S is 1.33333 ('4/3'); probabilities",
        ),
        (changed("[1/3]", "[1/]"), "mine.toml:4: '1/' is not a formula"),
        (changed("[1/3]", "[1/0]"), "mine.toml:4: '1/0' is not a number"),
        (changed("[1/3]", "[p]"), "mine.toml:4: 'p' in 'p' is not defined."),
        (
            changed("[1/3]", ""),
            "mine.toml:4: Some rules of S have a probability and this one has none",
        ),
        (changed("[1/3] |", "[1/3]"), "mine.toml:4: The probability [1/3] must be the last part"),
        (changed("[1/3]", "[1/3"), "mine.toml:4: "),
        (changed("V ->", "V ="), "mine.toml:5: A rule has the form SYMBOL -> "),
        (changed("V ->", "v ->"), "mine.toml:5: A symbol is a name with an initial capital"),
        (changed("V ->", "V W ->"), "mine.toml:5: Expected one symbol before '->'"),
        (changed("W -> w0..w2\n", ""), "mine.toml:4: The symbol W has no rule. Add one, or"),
        (changed("W -> ", "Z -> z\nW -> "), "mine.toml:6: The symbol Z is unreachable from"),
        (changed("W -> w0", "W -> W W\nW -> w0"), None),
        (
            changed("W -> w0..w2", "W -> W w0"),
            "mine.toml:6: Sentences would have infinite expected",
        ),
        (changed("W -> w0..w2", "W ->"), "mine.toml:6: A rule has an empty right-hand side"),
        (
            changed("W -> w0..w2", "W -> w0 | | w1"),
            "mine.toml:6: A rule has an empty right-hand side",
        ),
        (
            changed("W -> w0..w2", "W -> w0 | w0"),
            "mine.toml:6: The same rule of W is already in line",
        ),
        (changed("W -> w0..w2", "W -> w2..w0"), "mine.toml:6: A range is increasing"),
        (changed("W -> w0..w2", "W -> w0..x2"), "mine.toml:6: A range has the form"),
        (
            changed("W -> w0..w2", "W -> w0..w999999999"),
            "mine.toml:6: A range is increasing and has",
        ),
        (changed("W -> w0..w2", "W -> w0..w2 x0..x1"), "mine.toml:6: Ranges of 2 and 3 cannot"),
        (changed("W -> w0..w2", 'W -> "w 0"'), "mine.toml:6: A word must not be empty or con"),
        (changed("W -> w0..w2", 'W -> "'), "mine.toml:6: '\"' has an unclosed quote or bracket."),
        (changed("W -> w0..w2", "W -> w\x1b[0m"), "mine.toml: is not valid TOML ("),
        (changed("W -> w0..w2", "W -> w\u202e"), "mine.toml:6: The word 'w�' has invisible char"),
        (changed("W -> w0..w2", "W -> mu(W)"), "mine.toml:6: There is no map named 'mu'."),
        (changed("W -> w0..w2", "W -> (w)"), "mine.toml:6: '(w)' has parentheses"),
        (changed('"v2 w2"', '"v2 w3"'), "mine.toml:12: The word 'w3' occurs in no sentence."),
        (changed('"v2 w2"', '"v2 a"'), "mine.toml:12: The word 'a' is in neither class"),
        (changed('"v2 w2"', '"v2 v2"'), "mine.toml:12: The word 'v2' occurs twice."),
        (changed('"v2 w2"', '"w0..w2"'), "mine.toml:12: The training set needs words of both cl"),
        (changed('"v2 w2"', '""'), "mine.toml:12: The list of words is empty."),
        (changed('"v2 w2"', "3"), "mine.toml:12: Words are a string"),
        (changed('"v0..v2"', '"v0..v2 w1"'), "mine.toml:11: The word 'w1' is in both classes."),
        (
            changed("held_out", "heldout"),
            "mine.toml:12: No key of a target named 'heldout'. Di",
        ),
        (changed('held_out = "v2 w2"', ""), "mine.toml:9: The target has no held_out words."),
        (changed("about =", "abuot ="), "mine.toml:2: No key named 'abuot'. Did you mean 'about"),
        (GOOD + "[targets.more]", "mine.toml:9: Write one [target], or several"),
        (GOOD + "[parameters]\np = 1", "mine.toml:14: No probability uses the parameter 'p'."),
        (GOOD + "[parameters]\np = true", "mine.toml:14: A parameter is a number, or a quoted f"),
        (
            GOOD + "[sweep]\np = [1]",
            "mine.toml:13: The sweep is over 'p', which is not a parameter.",
        ),
        (GOOD + "[sweep]\np = 1", "mine.toml:13: A sweep is one parameter and its values"),
        (GOOD + '[types]\nx = "x"', "mine.toml:14: The word 'x' occurs in no sentence."),
        (GOOD + "[maps]\nmu = 3", "mine.toml:14: Words are a string"),
        (GOOD + "[maps]\nmu = 'x'", "mine.toml:14: No rule uses the map 'mu'."),
        ('extra = [""]\n' + GOOD, "mine.toml:1: A rule has an empty right-hand side"),
        ('extra = ["A b"]\n' + GOOD, "mine.toml:1: 'A b' is not a sentence: quote words with an"),
        ('extra = ["a [1]"]\n' + GOOD, "mine.toml:1: An extra sentence consists of words"),
        ("extra = [3]\n" + GOOD, "mine.toml:1: 'extra' is a list of quoted sentences"),
    ],
)
def test_an_error_names_the_line_and_is_one_sentence(read, text, sentence):
    if sentence is None:
        assert read(
            text
        ).words  # W -> W W has a probability of 1/4, so the expected length is finite
        return
    with pytest.raises(BadData) as problem:
        read(text)

    assert str(problem.value).startswith(sentence)
    assert "\n" not in str(problem.value)


def test_all_values_of_a_sweep_are_validated_when_a_grammar_is_read(read):
    text = changed("[1/3]", "[p]").replace("[2/3]", "[1 - p]")

    with pytest.raises(
        BadData, match=r"mine.toml:15: The grammar mine with p = 2.0: A probability of S"
    ):
        read(text + "[parameters]\np = 0.5\n[sweep]\np = [0.5, 2.0]")


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ('p = "p"', "mine.toml:14: The parameter 'p' depends on itself."),
        ('p = "r"\nr = "p"', "depends on itself"),
        ('p = "r"', "mine.toml:14: 'r' in 'r' is not defined"),
        ("p = inf", "mine.toml:14: 'inf' in 'inf' is not defined"),
        ("\n".join(f'p{i} = "p{i + 1}"' for i in range(5000)) + '\np = "p0"', "at most 100 param"),
    ],
)
def test_undefined_and_circular_parameters_are_refused(read, parameters, sentence):
    text = changed("[1/3]", "[p]").replace("[2/3]", "[1 - p]")

    with pytest.raises(BadData) as problem:
        read(f"{text}[parameters]\n{parameters}\n")

    assert sentence in str(problem.value)


def test_an_unknown_name_and_a_huge_file_are_refused(read):
    with pytest.raises(UnknownName, match="Did you mean 'ambiguity'"):
        grammars.read("ambiguty")
    with pytest.raises(TooLarge, match="bytes for a grammar"):
        read("#" * (1 << 20) + "\n")


def test_a_file_with_windows_line_ends_has_the_right_line_numbers(read):
    assert read(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()).words
    with pytest.raises(BadData, match=r"mine\.toml:4: The symbol W"):
        read(GOOD.replace("W -> w0..w2\n", "").replace("\n", "\r\n"))


@pytest.mark.parametrize("name", ["multifacetedness", "ambiguity"])
def test_a_mutated_file_is_read_or_refused_with_one_line(read, name):
    rng = np.random.default_rng(3)
    good = grammars.included(name)
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
    messages = []
    for _ in range(200):
        at, gone = int(rng.integers(len(good))), int(rng.integers(4))
        text = good[:at] + str(rng.choice(pieces)) + good[at + gone :]
        try:
            read(text)
        except BadData as problem:
            messages.append(str(problem))
    assert len(messages) > 50
    assert all(each.startswith("mine.toml") and "\n" not in each for each in messages)


@pytest.mark.parametrize(
    "text",
    [
        "S -> " + " | ".join(f"a{k}x0..a{k}x9999" for k in range(2000)),
        "S -> " + " ".join(f"a{k}x0..a{k}x9999" for k in range(2000)),
        "S -> " + "x" * 900_000 + "..",
        "S -> " + "x " * 450_000 + '"',
    ],
    ids=["alternatives", "parts", "long", "open"],
)
def test_files_that_would_take_all_memory_or_time_are_refused(read, text):
    with pytest.raises(BadData, match=r"mine\.toml:2: "):
        read(f'rules = """\n{text}\n"""')


def test_a_large_grammar_is_read():
    rules = _notation.rules("S -> X0..X1999\nX0..X1999 -> x0..x1999 y")

    assert Grammar("large", "", rules).length == pytest.approx(2)
