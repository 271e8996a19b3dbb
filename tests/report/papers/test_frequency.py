"""Figures and tables on word frequency in vectors."""

from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.results import (
    FrequencyProbe,
    NeighbourRanks,
    ProbePoint,
    RankPoint,
)
from lexiscope.papers.frequency import Frequency, FrequencyRun
from lexiscope.report.papers.frequency import sections


def run(model, number=1, thresholds=(10, 100)):
    points = tuple(
        ProbePoint(t, 400, Estimate(0.9, 0.85, 0.93), 0.01, Estimate(0.5), 0.8, 0.9)
        for t in thresholds
    )
    curve = tuple(RankPoint(k, Estimate(1000.0 * k, 900.0 * k, 1100.0 * k)) for k in (1, 10))
    near = NeighbourRanks(
        400, 10, curve, Estimate(0.17, 0.15, 0.19), 900.0, Estimate(5.0, 4.0, 6.0), 2.0, 0.85, 5e3
    )
    return FrequencyRun(model, number, FrequencyProbe(points), near)


def test_the_figures_show_the_first_run_and_the_exponents_every_run():
    probe, ranks = sections(Frequency((10, 100), (run("A"), run("A", 2), run("B"))))
    accuracy, turns = probe.parts
    curve, exponents = ranks.parts

    assert accuracy.table.rows == (
        ("A", "90.0 (85.0 to 93.0)", "90.0 (85.0 to 93.0)"),
        ("B", "90.0 (85.0 to 93.0)", "90.0 (85.0 to 93.0)"),
    )
    assert (turns.head, turns.rows[0]) == (("model", "10 to 100"), ("A", "0.800 (0.900)"))
    assert curve.table.rows == (("1", "1,000", "1,000"), ("10", "10,000", "10,000"))
    assert [row[:2] for row in exponents.rows] == [("A", "1"), ("A", "2"), ("B", "1")]
    assert exponents.rows[0][3:6] == ("0.170 (0.150 to 0.190)", "900", "5.000 (4.000 to 6.000)")


def test_the_dashed_line_of_the_probe_is_the_chance_level():
    probe, _ = sections(Frequency((10, 100), (run("A"),)))

    assert {"y": 0.5} in [v for data in probe.parts[0].spec["datasets"].values() for v in data]


def test_a_model_without_a_threshold_of_the_others_has_no_value_there():
    probe, _ = sections(Frequency((10, 100), (run("A"), run("B", thresholds=(10,)))))

    assert probe.parts[0].table.rows[1] == ("B", "90.0 (85.0 to 93.0)", "–")


def test_without_inspection_there_is_no_section():
    assert sections(Frequency()) == []
