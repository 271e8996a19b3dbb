"""Pitfalls 39 to 42 and 47: tests, units, corrections and intervals."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import fisher_exact, norm, permutation_test, rankdata, spearmanr

import lexiscope
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.embedding import embedding
from lexiscope.metrics.correlation import spearman
from lexiscope.report.exports import to_latex
from lexiscope.report.terminal import summary
from lexiscope.stats.intervals import confidence_interval
from lexiscope.stats.randomization import sign_flip_test
from tests.builders import analogies, synthetic_words
from tests.pitfalls.scoring import pairs_for, scores, with_cosines

FEW = np.array([4.0, 1, 1, 1, 1, 1])


def test_pitfall_39_few_items_get_an_exact_test():
    """All 64 signs of six differences are counted; draws with replacement would be others."""
    signed = np.array([FEW * signs for signs in product([-1, 1], repeat=6)]).mean(axis=1)
    exact = np.mean(np.abs(signed) >= FEW.mean() - 1e-12)

    def as_the_peer_does():
        sampled = (
            np.random.default_rng(0).choice(np.concatenate([FEW, -FEW]), (9999, 6)).mean(axis=1)
        )
        return np.mean(np.abs(sampled) >= FEW.mean())

    assert exact == 2 / 64
    assert sign_flip_test(FEW, np.random.default_rng(0)) == pytest.approx(exact)
    assert sign_flip_test(FEW, np.random.default_rng(1)) == pytest.approx(exact)
    assert as_the_peer_does() > 1.5 * exact


def test_pitfall_39_the_tests_agree_with_scipys_permutation_test():
    """Exchanging the predictions of two embeddings item by item gives SciPy's exact p-value."""
    rng = np.random.default_rng(3)
    gold = np.arange(9.0)
    cosines = [np.clip(gold / 10 + rng.normal(size=9) * noise, -1, 1) for noise in (0.05, 0.6)]

    ranks = [rankdata(column) for column in cosines]

    def gap(first, second):
        return np.corrcoef(first, gold)[0, 1] - np.corrcoef(second, gold)[0, 1]

    expected = permutation_test(
        ranks, gap, permutation_type="samples", vectorized=False, n_resamples=9999
    ).pvalue
    sources = [with_cosines(name, column) for name, column in zip("ab", cosines, strict=True)]
    (found,) = lexiscope.run(sources, "similarity", pairs_for(gold)).comparisons

    assert 0.01 < expected < 0.5
    assert found.p == pytest.approx(expected, abs=1e-9)


def test_pitfall_39_the_seed_determines_the_permutations():
    """The same seed gives the same p-value, to the last digit."""
    rng = np.random.default_rng(0)
    gold = rng.normal(size=60)
    sources = [with_cosines(name, np.tanh(gold + rng.normal(size=60) * noise))
               for name, noise in (("a", 1), ("b", 1.6))]  # fmt: skip

    ps = [lexiscope.run(sources, "similarity", pairs_for(gold), seed=seed).comparisons[0].p
          for seed in (4, 4, 5)]  # fmt: skip

    assert ps[0] == ps[1] != ps[2]


def test_pitfall_39_no_p_value_is_ever_0():
    """What was seen is one of the possible orders, so that p is at least one in the draws."""
    gold = np.linspace(-0.9, 0.9, 200)
    noise = np.random.default_rng(0).permutation(gold)

    def as_the_peer_does():
        rng = np.random.default_rng(0)
        signs = rng.choice([-1, 1], (999, 200))
        return np.mean(np.abs((signs * np.ones(200)).mean(axis=1)) >= 1)

    results = lexiscope.run(
        [with_cosines("a", gold), with_cosines("b", noise)], "similarity", pairs_for(gold)
    )

    assert as_the_peer_does() == 0
    assert results.comparisons[0].p == pytest.approx(2e-4)
    assert sign_flip_test(np.ones(200), np.random.default_rng(0)) == pytest.approx(2e-4)


def test_pitfall_39_two_analogies_of_one_pair_are_not_significant():
    """All right against all wrong on two items that share words is no certainty."""
    words = ("man", "woman", "king", "queen", "apple")
    rows = [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, -1]]
    good = embedding("good", words, rows)
    bad = embedding("bad", ("man", "woman", "king", "apple", "queen"), rows)
    items = analogies(*[("man", "woman", "king", "queen")] * 2)

    (found,) = lexiscope.run([good, bad], "analogy", items).comparisons

    assert found.difference == 1
    assert found.p is None  # two items that share all words are no sample
    assert not found.significant
    assert found.outcome == "undecided"


def test_pitfall_40_two_embeddings_on_the_same_items_get_a_paired_test():
    """Twelve questions that only one gets right are a real difference; two shares are not."""
    words = synthetic_words(800)
    axes = np.random.default_rng(0).normal(size=(400, 40))
    good = np.empty((800, 41))
    good[::2], good[1::2] = np.c_[axes, np.zeros(400)], np.c_[axes, np.full(400, 6.0)]
    worse = good.copy()
    items = analogies(*((f"w{4 * k}", f"w{4 * k + 1}", f"w{4 * k + 2}", f"w{4 * k + 3}")
                        for k in range(200)))  # fmt: skip
    for k in range(100):  # both get these wrong, b twelve more
        good[4 * k + 3] *= -1
        worse[4 * k + 3] *= -1
    for k in range(100, 112):
        worse[4 * k + 3] *= -1
    results = lexiscope.run({"a": (words, good), "b": (words, worse)}, "analogy", items)

    def as_the_peer_does():
        return fisher_exact([[100, 100], [88, 112]]).pvalue

    found = scores(results)
    assert (found["a", "accuracy"], found["b", "accuracy"]) == (0.5, 0.44)
    assert as_the_peer_does() > 0.2
    assert results.comparisons[0].p == pytest.approx(1 / 2**12)
    assert results.comparisons[0].significant


def test_pitfall_40_correlated_predictions_differ_significantly_where_an_unpaired_test_fails():
    """Nearly equal predictions, one always slightly worse: only a paired test detects it."""
    rng = np.random.default_rng(2)
    gold = rng.normal(size=150)
    first = gold + rng.normal(size=150)
    second = first + rng.normal(size=150) * 0.6
    cosines = [np.tanh(column / 3) for column in (first, second)]

    results = lexiscope.run(
        [with_cosines("a", cosines[0]), with_cosines("b", cosines[1])],
        "similarity",
        pairs_for(gold),
    )

    def as_the_peer_does():
        ours, theirs = np.arctanh([spearmanr(column, gold).statistic for column in cosines])
        return 2 * norm.sf(abs(ours - theirs) / np.sqrt(2 / (150 - 3)))

    (found,) = results.comparisons
    assert as_the_peer_does() > 0.2
    assert found.p < 0.05
    assert found.low > 0


def lucky(seed=0, words=10, each=12):
    """Cosines, ratings and left words; a left word's luck moves all its pairs at once."""
    rng = np.random.default_rng(99)
    ratings = np.repeat(rng.normal(size=words), each) + 0.3 * rng.normal(size=words * each)
    rng = np.random.default_rng(seed)
    luck = np.repeat(rng.normal(size=words), each) + 0.3 * rng.normal(size=words * each)
    return np.tanh((ratings + luck) / 3), ratings, [f"word{k // each}" for k in range(words * each)]


def width(cosines, ratings, lefts=None, held=None):
    """How wide the interval of Spearman's correlation is."""
    source = with_cosines("s", cosines, held or lefts)
    (found,) = lexiscope.run(source, "similarity", pairs_for(ratings, lefts)).main()
    return found.high - found.low


def test_pitfall_41_words_that_recur_widen_the_interval():
    """If ten words recur in 120 pairs, the effective sample size is smaller."""
    cosines, ratings, lefts = lucky()

    def as_the_peer_does():
        return width(cosines, ratings)  # each pair as if its words were its own

    assert width(cosines, ratings, lefts) > 1.5 * as_the_peer_does()


def test_pitfall_41_a_word_recurs_in_any_letter_case():
    """Word and WORD are one word where case is folded, also for intervals."""
    cosines, ratings, lefts = lucky()
    mixed = [word.upper() if k % 2 else word for k, word in enumerate(lefts)]
    unlike = [
        "".join(c.upper() if k >> place & 1 else c for place, c in enumerate(word))
        for k, word in enumerate(lefts)
    ]

    same = width(cosines, ratings, lefts)

    assert width(cosines, ratings, mixed, lefts) == pytest.approx(same, rel=0.1)
    assert width(cosines, ratings, unlike, lefts) == pytest.approx(same, rel=0.1)


def test_pitfall_41_a_query_is_one_query_in_any_letter_case():
    """The ranking of a word holds all its pairs where case is folded."""
    lefts = ["cat", "Cat", "CAT", "cat", "Cat", "cAt"]
    cosines, ratings = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1, 2, 3, 4, 6, 5]

    (found,) = lexiscope.run(
        with_cosines("s", cosines, ["cat"] * 6), "ranking", pairs_for(ratings, lefts)
    ).main()

    assert found.value == pytest.approx(spearmanr(cosines, ratings).statistic)


def test_pitfall_41_one_lucky_word_makes_no_difference_significant():
    """Ten lucky words among 120 pairs do not make two embeddings significantly different."""
    knowing, naive = [], []
    for seed in range(12):
        (first, ratings, lefts), (second, _, _) = lucky(2 * seed), lucky(2 * seed + 1)
        for words, found in ((lefts, knowing), (None, naive)):
            sources = [with_cosines("a", first, words), with_cosines("b", second, words)]
            results = lexiscope.run(sources, "similarity", pairs_for(ratings, words))
            found.append(results.comparisons[0].p < 0.05)

    assert sum(naive) >= 4
    assert sum(knowing) <= 2


def test_pitfall_42_all_comparisons_of_a_run_are_corrected_together():
    """Six equal embeddings on two datasets make thirty comparisons: luck is not called real."""
    rng = np.random.default_rng(6)
    gold = rng.normal(size=80)
    sources = [with_cosines(name, np.tanh((gold + rng.normal(size=80)) / 3)) for name in "abcdef"]
    datasets = [pairs_for(gold, name="one"), pairs_for(gold + rng.normal(size=80), name="two")]

    results = lexiscope.run(sources, "similarity", datasets)

    ps = np.array([c.p for c in results.comparisons])

    def as_the_peer_does():
        return (ps < 0.05).sum()

    assert len(ps) == 30
    assert as_the_peer_does() > 0
    assert not any(c.significant for c in results.comparisons)
    smallest = min(results.comparisons, key=lambda c: c.p)
    assert smallest.p_holm == pytest.approx(min(1, 30 * smallest.p))
    assert smallest.p_bh <= smallest.p_holm


def test_pitfall_42_the_correction_is_stated(tmp_path):
    """Terminal, page, table and document say what was corrected, and over how many."""
    sources = [with_cosines(name, np.random.default_rng(k).uniform(-1, 1, 20))
               for k, name in enumerate("abc")]  # fmt: skip

    results = lexiscope.run(sources, "similarity", pairs_for(range(20)))

    page = lexiscope.write_report(results, tmp_path / "report.html").read_text("utf-8")
    assert "Holm" in page
    assert "Holm" in summary(results)[1]
    assert "3 comparisons" in summary(results)[1]
    assert "Holm's correction with Tarone's modification" in to_latex(results)
    assert "Holm and Benjamini-Hochberg over all comparisons" in results.manifest["tests"]


def fishers(rho, items):
    """The interval that holds for Pearson's correlation of normal data only."""
    half = norm.ppf(0.975) / np.sqrt(items - 3)
    centre = np.arctanh(min(rho, 1 - 1e-12))
    return np.tanh(centre - half), np.tanh(centre + half)


def crossing(seed, items=60):
    """Ranks that agree for nine in ten and are turned round for the rest: rho is 0.8."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, items)
    return Predictions(np.where(rng.random(items) < 0.9, x, -x), x)


def test_pitfall_47_the_interval_covers_the_true_value_where_fishers_is_too_narrow():
    """For Spearman's correlation the resampled interval keeps its promise, Fisher's does not."""
    probes = [crossing(seed) for seed in range(200)]

    ours = [
        confidence_interval(spearman, s, np.random.default_rng(k)) for k, s in enumerate(probes)
    ]
    theirs = [fishers(spearman(s.predicted, s.gold), 60) for s in probes]

    held, as_the_peer_does = (
        np.mean([low <= 0.8 <= high for low, high in found]) for found in (ours, theirs)
    )
    assert held > 0.9
    assert as_the_peer_does < 0.75


def test_pitfall_47_the_interval_is_of_the_pairs_actually_scored():
    """Twenty covered pairs of 400 have the interval of twenty, not of the nominal 400."""
    rng = np.random.default_rng(0)
    gold = rng.normal(size=400)
    cosines = np.tanh((gold + rng.normal(size=400)) / 3)
    source = with_cosines("s", cosines)
    kept = [*(f"l{k}" for k in range(20)), *(f"r{k}" for k in range(20))]
    partly = source.rows(source.vocabulary.find(kept))

    (few,) = lexiscope.run(partly, "similarity", pairs_for(gold)).main()
    (alone,) = lexiscope.run(source, "similarity", pairs_for(gold[:20])).main()

    def as_the_peer_does():
        low, high = fishers(few.value, few.total)
        return high - low

    assert (few.used, few.total) == (20, 400)
    assert few.high - few.low == pytest.approx(alone.high - alone.low, rel=0.1)
    assert few.high - few.low > 3 * as_the_peer_does()
