"""Tables of machine proxies, named as such, and of studies with judgments."""

import numpy as np

from lexiscope.core.estimate import Estimate
from lexiscope.human.proxies import ProxyScore
from lexiscope.human.scoring.results import score_study
from lexiscope.human.simulation import simulate
from lexiscope.papers.judgments import JudgedStudy
from lexiscope.papers.proxies import ALL, Proxies, ProxyPair, WinRatio
from lexiscope.report.papers.studies import sections
from tests.papers.test_judgments import CALM, comparison

RATIO = Estimate(0.25, 0.2, 0.3)


def proxies():
    return Proxies(
        100,
        tuple(WinRatio("WordNet", name, by, group, 10, RATIO)
              for by, group in (("", ALL), ("part_of_speech", "noun")) for name in "AB"),
        (ProxyPair("WordNet", "A", "B", 0.1, 0.0004),),
        (ProxyScore("A", "WordNet", 50, 2, 0.5, 0.4, 0.6, None, 0),
         ProxyScore("A", "B", 52, 0, 0.75, 0.6, 0.9, None, 0),
         ProxyScore("B", "A", 0, 52, float("nan"), float("nan"), float("nan"), None, 0)),
        ("100 query words.",),
    )  # fmt: skip


def test_proxies_are_named_as_machines_and_decide_nothing():
    (section,) = sections((), proxies())

    assert section.title == "Machine proxies of the human studies"
    assert section.text[0].startswith("These are not judgments of people")
    assert "100 query words." in section.text
    assert all("machine prox" in table.caption for table in section.parts)


def test_win_ratios_have_a_row_for_each_group_and_a_column_for_each_embedding():
    ratios, pairs, _ = sections((), proxies())[0].parts

    cell = "0.250 (0.200 to 0.300)"
    assert ratios.head == ("items", "number", "A", "B")
    assert ratios.rows == (("all", "10", cell, cell), ("part of speech noun", "10", cell, cell))
    assert pairs.rows == (("A minus B", "+0.100", "< 0.001"),)


def test_an_embedding_has_no_intrusion_score_by_itself_or_without_items():
    intrusion = sections((), proxies())[0].parts[-1]

    assert intrusion.head == ("neighbours of", "A", "B", "WordNet")
    assert intrusion.rows == (
        ("A", "–", "0.750 (0.600 to 0.900), n = 52", "0.500 (0.400 to 0.600), n = 50"),
        ("B", "–", "–", "–"),
    )


def test_a_study_has_a_section_that_says_who_judged():
    study = comparison()
    judges, answers = simulate(study, np.random.default_rng(0), None, {"CBOW": 1.0}, CALM)
    results = score_study(study, answers, judges)
    people, machines = (
        sections((JudgedStudy("c.study", study, answers, results, {}, simulated),), Proxies())[0]
        for simulated in (False, True)
    )

    assert people.title == "Human study: comparison"
    assert f"{len(judges)} judges in c.study, 40 query words." in people.text[0]
    assert "simulated judges, no people" in machines.text[0]
    captions = [table.caption for table in people.parts]
    assert captions[1:] == [
        "Differences between embeddings (95 % CI)", "By rank (95 % CI)", "By concreteness (95 % CI)"
    ]  # fmt: skip


def test_without_items_there_is_no_section():
    assert sections((), Proxies()) == []
