"""Power of studies: sizes and differences that are known, and an independent simulation."""

from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.seeding import generator
from lexiscope.human.power.calibration import calibrated_quality
from lexiscope.human.power.designs import Design
from lexiscope.human.power.estimate import power
from lexiscope.human.power.settings import PowerSettings
from lexiscope.human.power.synthetic import resized, synthetic_study
from lexiscope.human.scoring.comparisons import comparisons
from lexiscope.human.scoring.ratings import ratings_of
from lexiscope.human.scoring.scores import item_ratios
from lexiscope.human.simulation import Behaviour, simulate

LITTLE = {"queries": (12,), "judges_per_item": (3,), "replicates": 3}


def merged_study():
    """Three embeddings, of which the last two share a neighbour at one of two ranks."""
    study = synthetic_study(embeddings=3, ranks=2)
    first, second = study.items
    names = list(study.embeddings)
    shared = replace(first, options=("a", "b"), sources=((names[0],), (names[1], names[2])))
    return replace(study, items=(shared, second))


@pytest.mark.parametrize("kind", ["comparison", "intrusion", "merged"])
def test_the_calibrated_quality_gives_the_stated_difference_in_the_simulation_of_studies(kind):
    # human/simulation.py is written apart from human/power: loops over judges and options.
    study = merged_study() if kind == "merged" else synthetic_study(kind, 3, 2)
    settings = PowerSettings(0.15)
    quality = calibrated_quality(study, settings)
    better = next(iter(study.embeddings))

    large = resized(study, 400, 0)
    large = replace(large, settings=replace(large.settings, judges_per_item=3))
    found = []
    for seed in range(4):
        given = simulate(large, np.random.default_rng(seed), quality={better: quality})[1]
        means = np.nanmean(item_ratios(ratings_of(large, given, "exclude")), axis=0)
        found.append(means[0] - means[1:].mean())

    assert np.mean(found) == pytest.approx(0.15, abs=0.02)  # standard error 0.005


def test_without_a_difference_each_test_rejects_at_most_its_size():
    study = synthetic_study(embeddings=2, ranks=1)
    design = Design(study, 40, 5, PowerSettings(0.1))
    rejected = []
    for seed in range(150):
        rng = generator(seed, "size")
        pair = comparisons(design.ratings(0.0, 0, rng), DecisionRule(), rng, 999)[0]
        rejected.append(pair.p < 0.05)

    assert np.mean(rejected) <= 0.09  # 5 % of 150, and 2.2 standard errors


def test_power_grows_with_judges_and_query_words():
    settings = PowerSettings(0.3, (10, 40), (3, 8), replicates=20)
    found = power(synthetic_study(embeddings=3, ranks=1), settings)
    value = {(cell.queries, cell.judges_per_item): cell.power.value for cell in found.cells}

    assert value[10, 3] < value[10, 8] < value[40, 8]
    assert value[10, 3] < value[40, 3] < value[40, 8]
    for cell in found.cells:
        assert cell.power.low <= cell.power.value <= cell.power.high
    assert found.cells[-1].found_difference == pytest.approx(0.3, abs=0.06)  # 4 standard errors


def test_the_smallest_design_has_the_fewest_judgments_of_those_that_suffice():
    settings = PowerSettings(0.4, (10, 40), (2, 8), replicates=5, target=0.7)
    found = power(synthetic_study(embeddings=2, ranks=1), settings)
    enough = [cell for cell in found.cells if cell.power.value >= 0.7]

    assert found.smallest in enough
    assert found.smallest.judgments == min(cell.judgments for cell in enough)


def test_numbers_of_judges_hours_and_costs():
    study = synthetic_study(embeddings=3, ranks=2, items_per_judge=12)
    settings = PowerSettings(0.2, (12,), (3,), replicates=1, seconds_per_item=10, wage=12)
    cell = power(study, settings).cells[0]

    assert (cell.items, cell.judgments) == (24, 72)
    assert cell.judges == 6  # 72 judgments, 12 items each, no query twice
    assert cell.hours == pytest.approx(0.2)  # 72 x 10 s
    assert cell.cost == pytest.approx(2.4)


def test_each_replicate_and_the_same_seed_give_the_same_result():
    study = synthetic_study(embeddings=2, ranks=1)
    one, again = (power(study, PowerSettings(0.2, **LITTLE)).to_dict() for _ in range(2))

    assert one == again


def test_items_of_a_study_are_sampled_or_repeated():
    study = resized(synthetic_study(embeddings=2, ranks=3), 5, 0)

    assert len(study.scored) == 15
    assert len({item.query for item in study.scored}) == 5
    assert len(resized(study, 2, 0).scored) == 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"difference": 0.0}, "between 0 and 1"),
        ({"difference": 0.97}, "at most"),
        ({"queries": (5,)}, "Fewer than 6 query words"),
        ({"queries": (100_000,)}, "more than 300,000"),
        ({"replicates": 0}, "1 or more replicates"),
    ],
)
def test_impossible_settings_give_one_sentence(change, message):
    settings = replace(PowerSettings(0.1, **LITTLE), **change)

    with pytest.raises(BadUsage, match=message):
        power(synthetic_study(embeddings=2), settings)


def test_an_unknown_embedding_is_named():
    with pytest.raises(UnknownName, match="embedding7"):
        power(synthetic_study(), PowerSettings(0.1, better="embedding7"))
    with pytest.raises(BadUsage, match="2 or more embeddings"):
        synthetic_study(embeddings=1)


def test_judges_who_differ_more_need_larger_studies():
    design = {"queries": (30,), "judges_per_item": (4,), "replicates": 20}
    study = synthetic_study(embeddings=2, ranks=1)
    alike, unlike = (
        power(study, PowerSettings(0.2, behaviour=Behaviour(judge_effect=effect), **design))
        for effect in (0.0, 2.5)
    )

    assert unlike.cells[0].power.value < alike.cells[0].power.value
