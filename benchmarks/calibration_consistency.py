"""Calibration of consistency: simulated terms whose samples share nothing, or a direction.

A study simulates the vectors of samples of terms: a common mean (the sum effect), a direction of
the term (zero if the term is not learnable), and the noise of a sample, which decreases with its
number of sentences. Reported are the proportion of terms without a direction that are called
learnable (target: at most 5 %), in the space without the common direction and in the raw one; the
proportion of learnable terms that are found; the proportion of studies in which the test over terms
rejects (at most 5 % if no term is learnable); how often 95 % intervals cover the expected value
(93 to 97 %) of the mean excess in the raw space and without the common direction, of the raw null
and of the proportion identified; how often two equally good models are called different (at
most 5 %); and, after the correction of Benjamini and Hochberg, the proportion of learnable terms
that are found and the false discovery rate (at most 5 %). Scenarios after `DEVELOPED` were written
before the method was chosen and had no part in the choice. The last lines are the coverage of
intervals of mean ranks.

    python benchmarks/calibration_consistency.py --studies 400
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng

from lexiscope.experiments.consistency.estimates import estimate, mean_rank, proportion
from lexiscope.experiments.consistency.results import Estimate
from lexiscope.metrics.consistency import directions, identification, without_common_direction
from lexiscope.stats.between_terms import error_of_terms, term_null
from lexiscope.stats.multiple_comparisons import benjamini_hochberg

LEVEL = 0.05
DIMENSION = 50
WORDS = 10_000  # of the background, for ranks
DEVELOPED = 11  # scenarios on which the method was chosen
INTERVALS = ("raw", "centred", "null", "identified")


class Scenario(NamedTuple):
    """Samples per term, terms, length of the common mean, and proportion of learnable terms.

    `decay` is the exponent by which the noise decreases over dimensions, as in real spaces, and
    `kind` the kind of terms and noise.
    """

    name: str
    samples: int
    terms: int
    mean: float
    learnable: float
    halves: bool
    decay: float = 0.0
    kind: str = "normal"


class Outcome(NamedTuple):
    """What one study found."""

    false: float
    raw_false: float
    power: float
    rejected: bool
    raw: Estimate
    centred: Estimate
    null: Estimate
    identified: Estimate
    different: bool
    corrected: float
    discoveries: float


SCENARIOS = (
    Scenario("halves, none learnable", 2, 60, 0.0, 0.0, True),
    Scenario("halves, none learnable, common mean", 2, 60, 2.0, 0.0, True),
    Scenario("halves, half learnable, common mean", 2, 60, 2.0, 0.5, True),
    Scenario("five samples, none learnable, common mean", 5, 60, 2.0, 0.0, False),
    Scenario("five samples, half learnable, common mean", 5, 60, 2.0, 0.5, False),
    Scenario("five samples, all learnable", 5, 100, 1.0, 1.0, False),
    Scenario("halves, half learnable, 25 terms", 2, 25, 1.0, 0.5, True),
    Scenario("five samples, half learnable, uneven noise", 5, 60, 2.0, 0.5, False, 0.7),
    Scenario("halves, half learnable, uneven noise", 2, 60, 2.0, 0.5, True, 0.7),
    Scenario("five samples, none learnable, uneven noise", 5, 60, 2.0, 0.0, False, 0.7),
    Scenario("halves, none learnable, uneven noise", 2, 60, 2.0, 0.0, True, 0.7),
    Scenario("halves, noise by frequency", 2, 60, 2.0, 0.5, True, 0.0, "frequency"),
    Scenario("five samples, noise by frequency", 5, 60, 2.0, 0.5, False, 0.0, "frequency"),
    Scenario("halves, clusters of terms", 2, 60, 2.0, 0.5, True, 0.5, "clusters"),
    Scenario("five samples, clusters of terms", 5, 60, 2.0, 0.5, False, 0.5, "clusters"),
    Scenario("halves, heavy-tailed noise", 2, 60, 2.0, 0.5, True, 0.5, "heavy"),
    Scenario("five samples, heavy-tailed noise", 5, 60, 2.0, 0.5, False, 0.5, "heavy"),
    Scenario("halves, sums of context words", 2, 60, 1.0, 0.5, True, 0.5, "contexts"),
    Scenario("five samples, sums of context words", 5, 60, 1.0, 0.5, False, 0.5, "contexts"),
)  # fmt: skip


def simulated(scenario: Scenario, rng: Generator) -> tuple[np.ndarray, ...]:
    """The vectors of two models, the frequencies, and which terms are learnable."""
    frequency = np.floor(10 * rng.pareto(1.0, scenario.terms) + 10).astype(np.int64)
    sentences = frequency / 2 if scenario.halves else np.minimum(10, frequency // 5)
    learnable = rng.random(scenario.terms) < scenario.learnable
    if scenario.kind == "contexts":
        return *contexts(scenario, sentences, learnable, rng), frequency, learnable
    mean = np.zeros(DIMENSION)
    mean[0] = scenario.mean
    length = rng.gamma(4.0, 0.25, scenario.terms) * learnable
    own = rng.normal(size=(scenario.terms, DIMENSION)) / np.sqrt(DIMENSION) * length[:, None]
    if scenario.kind == "clusters":
        own = clustered(own.shape, rng) * learnable[:, None]
    shape = (2, scenario.samples, scenario.terms, DIMENSION)
    noise = NOISE[scenario.kind](shape, frequency, rng)
    noise *= np.sqrt(4.0 / (DIMENSION * sentences))[:, None] * spectrum(scenario.decay)
    vectors = (directions(mean + own + each) for each in noise)
    return *vectors, frequency, learnable


def spectrum(decay: float | np.ndarray) -> np.ndarray:
    """The standard deviation of the noise in each dimension."""
    return np.arange(1, DIMENSION + 1.0) ** -decay


def normal(shape: tuple[int, ...], frequency: np.ndarray, rng: Generator) -> np.ndarray:
    """The same noise for all terms."""
    return rng.normal(size=shape)


def by_frequency(shape: tuple[int, ...], frequency: np.ndarray, rng: Generator) -> np.ndarray:
    """Noise in fewer dimensions for frequent terms, and samples of unequal size."""
    decay = np.clip(0.2 + 0.25 * np.log(frequency / 10.0), 0.2, 1.2)
    sizes = rng.uniform(0.5, 1.5, size=(*shape[:-1], 1))
    return rng.normal(size=shape) * spectrum(decay[:, None]) * sizes


def heavy_tailed(shape: tuple[int, ...], frequency: np.ndarray, rng: Generator) -> np.ndarray:
    """Student's t with 3 degrees of freedom in each dimension and for the length."""
    lengths = np.sqrt(3 / rng.chisquare(3, size=(*shape[:-1], 1)))
    return rng.standard_t(3, size=shape) / np.sqrt(3) * lengths


NOISE: dict[str, Callable[..., np.ndarray]] = {
    "normal": normal, "clusters": normal, "frequency": by_frequency, "heavy": heavy_tailed,
}  # fmt: skip


def clustered(shape: tuple[int, ...], rng: Generator) -> np.ndarray:
    """Directions of terms in six clusters."""
    centres = rng.normal(size=(6, DIMENSION))
    own = 0.8 * centres[rng.integers(6, size=shape[0])] + 0.5 * rng.normal(size=shape)
    return own / np.sqrt(DIMENSION)


def contexts(
    scenario: Scenario, sentences: np.ndarray, learnable: np.ndarray, rng: Generator
) -> list[np.ndarray]:
    """Sums of the vectors of context words (Zipf); learnable terms have 15 frequent ones."""
    words = 300
    vectors = rng.normal(size=(words, DIMENSION)) * spectrum(scenario.decay)
    vectors[:, 0] += scenario.mean
    common = 1 / np.arange(2, words + 2.0)
    expected = np.tile(common / common.sum(), (scenario.terms, 1))
    for term in np.flatnonzero(learnable):
        expected[term] *= 0.75
        expected[term, rng.choice(words, 15, replace=False)] += 0.25 / 15
    tokens = np.maximum(5, 8 * np.maximum(sentences, 1)).astype(np.int64)
    shape = (2, scenario.samples, scenario.terms)
    counts = rng.multinomial(np.broadcast_to(tokens, shape), expected)
    return [directions(each @ vectors) for each in counts]


def study(scenario: Scenario, rng: Generator) -> Outcome:
    """Simulate and test once."""
    first, second, frequency, learnable = simulated(scenario, rng)
    found = term_null(first, frequency, rng, draws=199)
    other = term_null(without_common_direction(second), frequency, rng, draws=1)
    centred = term_null(without_common_direction(first), frequency, rng, draws=199)
    selected = benjamini_hochberg(centred.p.tolist()) <= LEVEL
    called, uncentred = centred.p <= LEVEL, found.p <= LEVEL
    paired = error_of_terms(centred.influence - other.influence)
    difference = float(centred.excess.mean() - other.excess.mean())
    hits = identification(without_common_direction(first)).first
    false, raw_false = (
        float(each[~learnable].mean()) if (~learnable).any() else np.nan
        for each in (called, uncentred)
    )
    power = called[learnable].mean() if learnable.any() else np.nan
    return Outcome(
        false,
        raw_false,
        float(power),
        centred.p_of_mean <= LEVEL,
        estimate(found.excess, found.influence),
        estimate(centred.excess, centred.influence),
        estimate(found.between, found.influence_on_between),
        proportion(hits),
        abs(difference) > paired.quantile(0.975) * paired.error,
        float(selected[learnable].mean()) if learnable.any() else np.nan,
        float((selected & ~learnable).sum() / max(1, selected.sum())),
    )


RANKS: dict[str, Callable[[Generator, int], np.ndarray]] = {
    "log-normal": lambda rng, n: np.exp(rng.normal(2.0, 1.5, n)),
    "log-normal, wide": lambda rng, n: np.exp(rng.normal(5.0, 2.0, n)),
    "half rank 1": lambda rng, n: np.exp(rng.normal(0.0, 2.0, n)) * (rng.random(n) < 0.5),
    "nine of ten rank 1": lambda rng, n: np.exp(rng.normal(3.0, 1.0, n)) * (rng.random(n) < 0.1),
    "Poisson": lambda rng, n: rng.poisson(0.3, n),
    "most ranks high": lambda rng, n: WORDS * rng.beta(5.0, 0.5, n),
    # The last two had no part in the choice of the interval.
    "Pareto": lambda rng, n: rng.pareto(2.5, n) * 10,
    "mean of ten ranks": lambda rng, n: np.exp(rng.normal(1, 1.5, (n, 10))).mean(axis=1),
}  # fmt: skip


def simulated_ranks(name: str, rng: Generator, terms: int) -> np.ndarray:
    """Mean ranks of terms among `WORDS` background vectors."""
    return 1 + np.minimum(WORDS, np.floor(RANKS[name](rng, terms)))


def rank_coverage(name: str, terms: int, studies: int, rng: Generator) -> tuple[float, float]:
    """How often the interval of the mean rank, and the t interval, cover the expected value."""
    expected = simulated_ranks(name, rng, 10**6).mean()
    covered = []
    for _ in range(studies):
        ranks = simulated_ranks(name, rng, terms)
        found = [mean_rank(ranks, WORDS, rng), estimate(ranks)]
        if not found[0].state:
            covered.append([each.low <= expected <= each.high for each in found])
    return tuple(np.mean(covered, axis=0).tolist())


def coverage(found: list[Estimate]) -> float:
    """How often intervals cover the mean of all studies."""
    value, low, high = np.array([(each.value, each.low, each.high) for each in found]).T
    return float(np.mean((low <= value.mean()) & (value.mean() <= high)))


def main() -> None:
    """Print one line for each scenario."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    head = ("false", "uncentred", "power", "rejected", *INTERVALS, "different", "corrected", "FDR")
    print(f"{'scenario':44}" + "".join(f"{each:>11}" for each in head))
    for number, scenario in enumerate(SCENARIOS):
        rng = default_rng([chosen.seed, number])
        found = [study(scenario, rng) for _ in range(chosen.studies)]
        columns = (
            np.nanmean([each.false for each in found]) if scenario.learnable < 1 else np.nan,
            np.nanmean([each.raw_false for each in found]) if scenario.learnable < 1 else np.nan,
            np.nanmean([each.power for each in found]) if scenario.learnable else np.nan,
            np.mean([each.rejected for each in found]),
            *(coverage([getattr(each, name) for each in found]) for name in INTERVALS),
            np.mean([each.different for each in found]),
            np.nanmean([each.corrected for each in found]) if scenario.learnable else np.nan,
            np.mean([each.discoveries for each in found]),
        )
        print(f"{scenario.name:44}" + "".join(f"{each:11.3f}" for each in columns), flush=True)
    rng = default_rng([chosen.seed, len(SCENARIOS)])
    print(f"{'ranks':44}{'terms':>11}{'covered':>11}{'t':>11}")
    for name in RANKS:
        for terms in (20, 60, 200):
            covered = rank_coverage(name, terms, chosen.studies, rng)
            print(f"{name:44}{terms:11}" + "".join(f"{each:11.3f}" for each in covered))


if __name__ == "__main__":
    main()
