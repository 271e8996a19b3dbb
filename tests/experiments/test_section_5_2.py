from pathlib import Path

from lexiscope.data.local_data import LocalData
from lexiscope.experiments.config import read
from lexiscope.training.spec import trainer_from

FILE = Path(__file__).parents[2] / "benchmarks" / "s0_section_5_2.toml"


def test_the_experiment_has_the_hyperparameters_that_yaghoobzadeh_and_schuetze_print():
    experiment = read(FILE)

    found = {
        step.name: trainer_from(step.trainer, step.settings, LocalData(None)).settings
        for step in experiment.training
    }

    ppmi = found.pop("PPMI")
    wanted = {"dimension": 100, "neg": 1, "window": 1, "cds": 0.75, "subsample": 1e-3, "eigen": 0.5}
    assert {name: ppmi[name] for name in wanted} == wanted
    assert ppmi["positional"]
    assert list(found) == ["LBL", "CBOW", "CWIN", "SKIP", "SSKIP"]
    wanted = {"dimension": 100, "negative": 10, "epochs": 20, "window": 1, "subsample": 1e-3}
    for settings in found.values():
        assert {name: settings[name] for name in wanted} == wanted
    assert found["LBL"]["variant"] == "lai2015"
