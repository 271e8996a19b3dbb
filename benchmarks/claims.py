"""How often a claim of a paper gets the verdict "differs" although the truth is the same.

The paper and our reproduction are simulated from the same distribution. At most 5 % of the claims
of each scenario may differ without a correction, and at most 5 % of papers may have a claim that
differs after Holm's correction.

    python benchmarks/claims.py --simulations 2000
"""

import argparse
from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng

from lexiscope.papers.agreement import (
    Agreement,
    CorrelationSample,
    ScoreErrors,
    compare_correlations,
    compare_proportions,
    compare_scores,
)
from lexiscope.papers.verdicts import ALPHA, Margins
from lexiscope.stats.multiple_comparisons import holm

Simulation = Callable[[Generator], Agreement | None]


class Scenario(NamedTuple):
    """A kind of claim with the same truth for the paper and for us, and its equivalence margin."""

    name: str
    simulate: Simulation
    margin: float


def proportion(
    rng: Generator, truth: float, clustering: float, paper: int, ours: int, words: int = 10
) -> Agreement:
    """Trials of `words` test words; `clustering` is the correlation of the words of a trial."""
    printed, found = (_trials(rng, truth, clustering, n, words) for n in (paper, ours))
    value = float(printed.mean())
    return compare_proportions(found.tolist(), words, (value, value), paper)


def _trials(rng: Generator, truth: float, clustering: float, number: int, words: int) -> np.ndarray:
    """Accuracies of trials: beta-binomial, or all words of a trial right or wrong together."""
    if clustering == 1:
        return (rng.random(number) < truth).astype(float)
    if clustering == 0:
        return rng.binomial(words, truth, number) / words
    total = 1 / clustering - 1
    chances = rng.beta(truth * total, (1 - truth) * total, number)
    return rng.binomial(words, chances) / words


def correlation(
    rng: Generator, truth: float, bases: int = 7, derived: int = 4, kind: str = "pearson"
) -> Agreement | None:
    """Models of which `derived` are copies of two of the `bases` with some noise, as in S3."""
    printed, found = (_correlation(rng, truth, bases, derived, kind) for _ in range(2))
    ours = CorrelationSample(found, bases, kind)  # type: ignore[arg-type]
    return compare_correlations(ours, (printed, printed), bases)


def _correlation(rng: Generator, truth: float, bases: int, derived: int, kind: str) -> float:
    one = rng.normal(size=bases)
    other = truth * one + sqrt(1 - truth**2) * rng.normal(size=bases)
    copied = np.arange(derived) % 2
    scores = [np.append(each, each[copied] + 0.3 * rng.normal(size=derived))
              for each in (one, other)]  # fmt: skip
    if kind == "spearman":
        scores = [np.argsort(np.argsort(each)) for each in scores]
    return float(np.corrcoef(*scores)[0, 1])


def score(rng: Generator, items: int = 1821, between_runs: float = 0.5, runs: int = 3) -> Agreement:
    """An accuracy in percent over test items, of a model whose runs vary."""
    truth = 80.0 + between_runs * rng.normal(size=1 + runs)
    error = 100 * sqrt(0.8 * 0.2 / items)
    printed = truth[0] + error * rng.normal()
    shared = error * rng.normal()  # our runs have the same test items
    found = truth[1:] + shared
    spread = float(found.std(ddof=1)) if runs > 1 else 0.0
    errors = ScoreErrors(error, error, spread, runs, 0.1 / sqrt(12))
    return compare_scores(float(found.mean()), round(printed, 1), errors)


MARGINS = Margins()
SCENARIOS = (
    *(
        Scenario(
            f"proportion {truth}, paper {paper} trials, ours {ours}, clustering {clustering}",
            partial(proportion, truth=truth, clustering=clustering, paper=paper, ours=ours),
            MARGINS.proportion,
        )
        for truth in (0.98, 0.9, 0.7)
        for paper, ours in ((1, 50), (10, 50), (50, 50), (10, 10))
        for clustering in (0, 0.3, 1)
    ),
    *(
        Scenario(
            f"{kind} {truth}, 7 models and 4 derived from them",
            partial(correlation, truth=truth, kind=kind),
            MARGINS.correlation,
        )
        for kind in ("pearson", "spearman")
        for truth in (0.0, 0.5, 0.85)
    ),
    *(
        Scenario(
            f"score, {runs} runs, standard deviation between runs {spread}",
            partial(score, runs=runs, between_runs=spread),
            MARGINS.score,
        )
        for runs, spread in ((1, 0.0), (3, 0.5), (3, 1.0))
    ),
)


class Rates(NamedTuple):
    """How often the verdict on a claim that is true is "differs" and "agrees"."""

    differs: float
    agrees: float


def rates(scenario: Scenario, simulations: int, seed: int = 0) -> Rates:
    """Return the rates of a single claim, for which no correction is needed."""
    found = [scenario.simulate(default_rng((seed, n))) for n in range(simulations)]
    differs = [each is not None and each.p < ALPHA for each in found]
    margin = scenario.margin
    agrees = [
        each is not None and each.p >= ALPHA and -margin < each.low and each.high < margin
        for each in found
    ]
    return Rates(float(np.mean(differs)), float(np.mean(agrees)))


def page_rate(simulations: int, seed: int = 0) -> float:
    """Return how often any claim of a paper differs: one claim of each scenario, corrected."""
    wrong = 0
    for n in range(simulations):
        rng = default_rng((seed, n, 1))
        found = [each for scenario in SCENARIOS if (each := scenario.simulate(rng)) is not None]
        wrong += bool((holm([a.p for a in found], [a.min_p for a in found]) < ALPHA).any())
    return wrong / simulations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2000)
    number = parser.parse_args().simulations
    print("differs  agrees  scenario")
    for scenario in SCENARIOS:
        found = rates(scenario, number)
        print(f"{found.differs:7.3f}  {found.agrees:6.3f}  {scenario.name}", flush=True)
    print(f"{page_rate(number):7.3f}          any of {len(SCENARIOS)} claims of a paper, corrected")


if __name__ == "__main__":
    main()
