"""Calibration of consistency: simulated terms whose samples share nothing, or a direction.

A study simulates the vectors of samples of terms: a common mean (the sum effect), a direction of
the term (zero if the term is not learnable), and the noise of a sample, which decreases with its
number of sentences. Reported are the proportion of terms without a direction that are called
learnable (target: at most 5 %), in the space without the common direction and in the raw one; the
proportion of learnable terms that are found; the proportion of studies in which the test over terms
rejects (at most 5 % if no term is learnable); how often 95 % intervals cover the expected value
(93 to 97 %) of the mean excess in the raw space and without the common direction, of the raw null
and of the proportion identified; and how often two equally good models are called different (at
most 5 %).

    python benchmarks/calibration_consistency.py --studies 400
"""

import argparse
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng

from lexiscope.experiments.consistency.results import Estimate
from lexiscope.experiments.consistency.summary import estimate, proportion
from lexiscope.metrics.consistency import directions, identification, without_common_direction
from lexiscope.stats.between_terms import error_of_terms, term_null

LEVEL = 0.05
DIMENSION = 50
INTERVALS = ("raw", "centred", "null", "identified")


class Scenario(NamedTuple):
    """Samples per term, terms, length of the common mean, and proportion of learnable terms.

    `decay` is the exponent by which the noise decreases over dimensions, as in real spaces.
    """

    name: str
    samples: int
    terms: int
    mean: float
    learnable: float
    halves: bool
    decay: float = 0.0


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
)  # fmt: skip


def simulated(scenario: Scenario, rng: Generator) -> tuple[np.ndarray, ...]:
    """The vectors of two models, the frequencies, and which terms are learnable."""
    frequency = np.floor(10 * rng.pareto(1.0, scenario.terms) + 10).astype(np.int64)
    sentences = frequency / 2 if scenario.halves else np.minimum(10, frequency // 5)
    learnable = rng.random(scenario.terms) < scenario.learnable
    mean = np.zeros(DIMENSION)
    mean[0] = scenario.mean
    length = rng.gamma(4.0, 0.25, scenario.terms) * learnable
    own = rng.normal(size=(scenario.terms, DIMENSION)) / np.sqrt(DIMENSION) * length[:, None]
    shape = (2, scenario.samples, scenario.terms, DIMENSION)
    noise = rng.normal(size=shape) * np.sqrt(4.0 / (DIMENSION * sentences))[:, None]
    noise *= np.arange(1, DIMENSION + 1.0) ** -scenario.decay
    vectors = (directions(mean + own + each) for each in noise)
    return *vectors, frequency, learnable


def study(scenario: Scenario, rng: Generator) -> Outcome:
    """Simulate and test once."""
    first, second, frequency, learnable = simulated(scenario, rng)
    found = term_null(first, frequency, rng, draws=199)
    other = term_null(without_common_direction(second), frequency, rng, draws=1)
    centred = term_null(without_common_direction(first), frequency, rng, draws=199)
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
    )


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
    head = ("false", "uncentred", "power", "rejected", *INTERVALS, "different")
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
        )
        print(f"{scenario.name:44}" + "".join(f"{each:11.3f}" for each in columns), flush=True)


if __name__ == "__main__":
    main()
