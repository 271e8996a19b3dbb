from collections import Counter
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import chisquare

from lexiscope.core.corpus import corpus, sentences_of
from lexiscope.core.errors import BadUsage, TooLarge
from lexiscope.pcfg import reader as grammars
from lexiscope.pcfg.grammar import Grammar
from lexiscope.pcfg.notation import rules
from lexiscope.pcfg.rules import Symbol, Word
from lexiscope.pcfg.sampling import sample


def written(text, **more):
    return Grammar("written", "", rules(text), **more)


def slowly(grammar, rng):
    """One sentence, symbol by symbol: the simple algorithm."""
    pending, sentence = [Symbol(grammar.start)], []
    while pending:
        part = pending.pop(0)
        if isinstance(part, Word):
            sentence.append(part.text)
            continue
        choices = [n for n, rule in enumerate(grammar.rules) if rule.symbol == part.name]
        chosen = rng.choice(choices, p=grammar.probabilities[choices])
        pending = [*grammar.rules[chosen].parts, *pending]
    return tuple(sentence)


def exactly(grammar):
    """Every sentence of a language without recursion, and how likely it is."""

    @cache
    def of(part):
        if isinstance(part, Word):
            return {(part.text,): 1.0}
        found = Counter()
        for rule, probability in zip(grammar.rules, grammar.probabilities.tolist(), strict=True):
            if rule.symbol == part.name:
                for each in product(*(of(inner).items() for inner in rule.parts)):
                    sentence = tuple(word for words, _ in each for word in words)
                    found[sentence] += probability * float(np.prod([p for _, p in each]))
        return found

    return of(Symbol(grammar.start))


def fits(counted, expected):
    """Whether counts are what probabilities say, by a chi-square test."""
    number = sum(counted.values())
    assert set(counted) <= set(expected)
    observed = [counted[key] for key in expected]
    return chisquare(observed, [number * p for p in expected.values()]).pvalue > 0.001


SMALL = """
S -> A B [1/2] | x A x [1/3] | z [1/6]
A -> a0..a2
B -> b [0.9] | B2 c [0.1]
B2 -> b b | c
"""


def test_sentences_are_as_frequent_as_their_probabilities():
    grammar = written(SMALL)
    fast = sentences_of(sample(grammar, 20_000, np.random.default_rng(3)))
    rng = np.random.default_rng(4)
    expected = exactly(grammar)

    assert sum(expected.values()) == pytest.approx(1)
    assert fits(Counter(map(tuple, fast)), expected)
    assert fits(Counter(slowly(grammar, rng) for _ in range(2_000)), expected)
    other = written(SMALL.replace("1/3", "0.35").replace("1/6", "0.15"))
    assert not fits(Counter(map(tuple, fast)), exactly(other))


def test_recursion_gives_geometric_lengths():
    grammar = written("S -> a S [3/4] | b [1/4]")
    sampled = sample(grammar, 20_000, np.random.default_rng(5))
    lengths = Counter(min(n, 15) for n in np.diff(sampled.starts).tolist())

    law = {n: 0.25 * 0.75 ** (n - 1) for n in range(1, 15)}
    assert fits(lengths, {**law, 15: 1 - sum(law.values())})
    assert all(sentence[-1] == "b" for sentence in sentences_of(sampled))
    assert all(set(sentence[:-1]) <= {"a"} for sentence in sentences_of(sampled))


def test_words_are_in_the_order_of_the_tree():
    grammar = written("S -> open S close S [0.2] | x [0.8]")

    for sentence in sentences_of(sample(grammar, 500, np.random.default_rng(6))):
        depth = 0
        for word in sentence:
            depth += {"open": 1, "close": -1}.get(word, 0)
            assert depth >= 0
        assert depth == 0
        assert sentence.count("x") == sentence.count("open") + 1  # one per S that ends


def test_the_mean_length_is_the_expected_length_of_the_grammar():
    grammar = written("S -> a S b S [0.3] | c [0.7]")
    lengths = np.diff(sample(grammar, 50_000, np.random.default_rng(7)).starts)

    assert lengths.mean() == pytest.approx(grammar.length, abs=4 * lengths.std() / 50_000**0.5)


def test_a_sampled_corpus_equals_the_corpus_of_its_sentences():
    sampled = sample(written(SMALL), 1_000, np.random.default_rng(8))
    again = corpus("again", sentences_of(sampled))

    assert sampled.fingerprint == again.fingerprint
    assert sampled.preprocessing == again.preprocessing
    assert sampled.counts.tolist() == again.counts.tolist()


def test_the_same_seed_gives_the_same_corpus_and_another_seed_another():
    grammar = grammars.read("unified")
    first, same, other = (
        sample(grammar, 300, np.random.default_rng(seed)).fingerprint for seed in (1, 1, 2)
    )

    assert first == same
    assert first != other


def test_a_rule_of_probability_zero_is_never_used():
    grammar = grammars.read("ambiguity").at(beta=0)
    sampled = sample(grammar, 5_000, np.random.default_rng(9))

    assert all(s[0][0] == "a" for s in sentences_of(sampled) if s[1] in {f"w{i}" for i in range(5)})


def test_a_thousand_symbols_keep_their_rules_separate():
    text = "S -> X0..X999\nX0..X999 -> x0..x999 y0..y999"
    sampled = sentences_of(sample(written(text), 5_000, np.random.default_rng(10)))

    assert all(one[1:] == other[1:] for one, other in sampled)


def test_extra_sentences_occur_once_each():
    grammar = written("S -> a", extra=(("b", "c"), ("d",)))
    positions = Counter()
    for seed in range(300):
        sentence = sentences_of(sample(grammar, 2, np.random.default_rng(seed)))
        assert sorted(sentence) == [["a"], ["a"], ["b", "c"], ["d"]]
        positions[sentence.index(["d"])] += 1

    assert fits(positions, dict.fromkeys(range(4), 0.25))


def test_too_few_and_too_many_sentences_are_refused():
    with pytest.raises(BadUsage, match="1 or more"):
        sample(written("S -> a"), 0, np.random.default_rng(0))
    with pytest.raises(TooLarge, match="Sample fewer sentences"):
        sample(written("S -> a"), 1 << 40, np.random.default_rng(0))


# What follows from the figures of Yaghoobzadeh and Schütze 2016.


def neighbours(grammar, side):
    """The exact probability of each neighbour of each word, on the left (-1) or right (1)."""
    found = Counter()
    for sentence, p in exactly(grammar).items():
        for left, right in pairwise(sentence):
            found[(right, left) if side == -1 else (left, right)] += p
    return found


@pytest.mark.parametrize("side", [-1, 1])
def test_in_nonconflation_v_and_w_have_the_same_neighbours(side):
    found = neighbours(grammars.read("nonconflation"), side)

    for index, context in product(range(5), "ab"):
        assert found[f"v{index}", context] == pytest.approx(1 / 20)
        assert found[f"w{index}", context] == pytest.approx(1 / 20)


def test_in_nonconflation_only_w_occurs_between_equal_words():
    for (left, word, right), p in exactly(grammars.read("nonconflation")).items():
        assert p == pytest.approx(1 / 40 if word[0] == "w" else 1 / 20)
        assert word[0] == "w" or left != right


def test_in_sparseness_rare_words_occur_once_in_the_contexts_of_their_class():
    sampled = sample(grammars.read("sparseness"), 2_000, np.random.default_rng(11))
    rare = [tuple(s) for s in sentences_of(sampled) if s[1][0] in "ux"]

    assert sampled.sentences == 2_020
    assert sorted(rare) == sorted(
        [(f"a{i}", f"u{i}", f"b{i}") for i in range(10)]
        + [(f"c{i}", f"x{i}", f"d{i}") for i in range(10)]
    )


@pytest.mark.parametrize(("alpha", "odds"), [(1.0, 1.0), (2.0, 3.0), (1.5, 2**1.5 - 1)])
def test_in_ambiguity_the_odds_of_the_senses_follow_from_alpha(alpha, odds):
    probabilities = exactly(grammars.read("ambiguity").at(alpha=alpha))
    first = sum(
        p for sentence, p in probabilities.items() if sentence[0][0] == "c" and sentence[1] == "w0"
    )
    second = sum(
        p for sentence, p in probabilities.items() if sentence[0][0] == "a" and sentence[1] == "w0"
    )

    assert second / first == pytest.approx(odds)
    assert first + second == pytest.approx(1 / 100)
    assert sum(probabilities.values()) == pytest.approx(1)


def test_in_ambiguity_all_words_in_the_middle_are_equally_frequent():
    middle = Counter()
    for sentence, p in exactly(grammars.read("ambiguity").at(alpha=1.3)).items():
        middle[sentence[1]] += p

    assert len(middle) == 100
    assert all(p == pytest.approx(1 / 100) for p in middle.values())


def paradigms(seed):
    """The paradigm of each noun and adjective in a corpus of multifacetedness."""
    sampled = sample(grammars.read("multifacetedness"), 3_000, np.random.default_rng(seed))
    right = {}
    for sentence in sentences_of(sampled):
        right.setdefault(sentence[1], set()).add(sentence[2])
    for word, marks in right.items():
        assert {"f", "m"} & marks == {word[2]}
        assert len(marks) == 2
    return {word: (marks - {"f", "m"}).pop() for word, marks in right.items()}


def test_in_multifacetedness_a_paradigm_is_fixed_in_a_corpus_and_new_in_the_next():
    first, second = paradigms(12), paradigms(13)

    assert len(first) == len(second) == 20
    assert set(first.values()) | set(second.values()) <= {f"u{i}" for i in range(5)}
    assert first != second


def test_a_map_assigns_its_words_uniformly():
    assigned = Counter(paradigm for seed in range(30) for paradigm in paradigms(seed).values())

    assert fits(assigned, {f"u{i}": 0.2 for i in range(5)})


def test_in_multifacetedness_all_four_kinds_are_equally_frequent():
    sampled = sample(grammars.read("multifacetedness"), 20_000, np.random.default_rng(14))
    kinds = Counter((sentence[0][0], sentence[1][1:3]) for sentence in sentences_of(sampled))

    assert fits(kinds, {(kind[0], kind): 0.25 for kind in ("nf", "nm", "af", "am")})


@pytest.mark.parametrize("side", [-1, 1])
def test_in_the_unified_grammar_v_and_w_have_the_same_neighbours(side):
    sentences = sentences_of(sample(grammars.read("unified"), 60_000, np.random.default_rng(15)))
    found = Counter(
        (sentence[1][:2], sentence[1 + side][0]) for sentence in sentences if sentence[1][0] in "vw"
    )
    number = sum(found.values())

    shares = {"a": 1 / 2, "b": 1 / 2}
    if side == 1:  # a mark follows in 1/6 of all sentences, a or b in 3/20
        marked = (1 / 6) / (1 / 6 + 3 / 20)
        shares = {"a": (1 - marked) / 2, "b": (1 - marked) / 2, "u": marked / 2, "f": marked / 2}
    expected = {
        (kind, "m" if near == "f" and kind[1] == "m" else near): share / 4
        for kind in ("vf", "vm", "wf", "wm")
        for near, share in shares.items()
    }
    assert number > 30_000
    assert fits(found, expected)


def test_in_the_unified_grammar_all_four_phenomena_occur_together():
    sentences = sentences_of(
        sample(grammars.read("unified").at(alpha=2), 60_000, np.random.default_rng(16))
    )
    frames = {}
    for left, word, right in sentences:
        frames.setdefault(word[0], Counter())[left[0] + right[0]] += 1

    assert {"aa", "bb"} & set(frames["v"]) == set()
    assert {"aa", "bb"} <= set(frames["w"])
    assert frames["r"] == {"ab": 10}
    assert frames["s"] == {"cd": 10}
    assert set(frames["y"]) == {"ab", "ba", "cd"}
    assert fits(frames["y"], {"cd": 1 / 4, "ab": 3 / 8, "ba": 3 / 8})
    assert {"f", "m", "u"} <= {frame[1] for frame in frames["x"]}
