"""Claims about people's judgments: study files of known preferences decide them."""

import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.study import Item, Study, StudySettings
from lexiscope.human.simulation import Behaviour, simulate
from lexiscope.papers import judgments
from lexiscope.papers.claims import (
    JudgmentContrastClaim,
    JudgmentEqualityClaim,
    JudgmentOrderClaim,
)
from lexiscope.papers.reproduce import plan_for
from lexiscope.papers.verdicts import Margins, decide
from lexiscope.store.study_file import StudyFile

CALM = Behaviour(item_effect=0.2, judge_effect=0.1, lapse=0.0, opt_out=0.0)


@pytest.fixture(scope="module")
def plan():
    return plan_for("s1")


def comparison(names=("CBOW", "GloVe"), queries=40):
    items = tuple(
        Item(f"{q}-{k}", "comparison", f"q{q}", ("one", "two"), ((names[0],), (names[1],)), rank=k,
             attributes={"concreteness": "abstract" if q % 2 else "concrete"})
        for q in range(queries) for k in (1, 50)
    )  # fmt: skip
    settings = StudySettings(judges_per_item=8, items_per_judge=40, controls_per_judge=0)
    return Study("comparison", settings, dict.fromkeys(names, ""), items)


def intrusion(names=("TSCCA", "C&W"), queries=40):
    items = tuple(
        Item(f"{q}-{k}", "intrusion", f"q{q}", (f"q{q}", "b", "c", "d"), ((), *(((name),),) * 3),
             answer=3, attributes={"frequency": "rare" if q % 2 else "frequent"})
        for q in range(queries) for k, name in enumerate(names)
    )  # fmt: skip
    settings = StudySettings(judges_per_item=8, items_per_judge=40, controls_per_judge=0)
    return Study("intrusion", settings, dict.fromkeys(names, ""), items)


def written(path, study, quality, platform="import"):
    """A study file with simulated answers of judges who are registered under a platform."""
    judges, answers = simulate(study, np.random.default_rng(0), None, quality, CALM)
    with StudyFile.create(path, study) as file:
        for each in judges:
            file.add_judge(platform, each.started, judge_id=each.id)
        file.record_all(answers)
    return path


def order(row, below="", study="comparison", **more):
    return JudgmentOrderClaim(
        table="Figure 1",
        row=row,
        below=below,
        column="all",
        study=study,
        printed="p < 0.05",
        **more,
    )


def judged(claims, studies):
    return decide([judgments.judge(each, studies, Margins()) for each in claims])


def test_an_order_of_people_agrees_or_differs_by_their_study(tmp_path, plan):
    path = written(tmp_path / "c.study", comparison(), {"CBOW": 1.5})
    studies = judgments.load([path], plan)
    claims = [order("CBOW", "GloVe"), order("GloVe", "CBOW"), order("GloVe", "CBOW", rank=50),
              order("CBOW", "GloVe", significant=False), order("CBOW", "TSCCA")]  # fmt: skip
    better, worse, rank, equal, absent = judged(claims, studies)

    assert (better.verdict, worse.verdict, rank.verdict) == ("agrees", "differs", "differs")
    assert better.ours.value == pytest.approx(-worse.ours.value)
    (pair,) = studies[0].results.comparisons
    assert (abs(better.ours.value), better.p_value) == (abs(pair.difference.value), pair.p)
    assert (equal.verdict, equal.reason) == ("unknown", judgments.NO_ORDER)
    assert (absent.verdict, absent.reason) == ("not run", "TSCCA is not in the study.")


def test_without_people_no_claim_is_judged(tmp_path, plan):
    path = written(tmp_path / "c.study", comparison(), {"CBOW": 1.5}, "simulation")
    nothing, machines = (
        judged([order("CBOW", "GloVe")], judgments.load(paths, plan))[0] for paths in ([], [path])
    )

    assert nothing.verdict == machines.verdict == "not run"
    assert nothing.reason.startswith("No study is given. People have to judge")
    assert machines.reason.startswith("The judges of the study are simulated.")


def test_intrusion_is_compared_with_chance_and_by_frequency(tmp_path, plan):
    path = written(tmp_path / "i.study", intrusion(), {"TSCCA": 2.5, "C&W": 0.0})
    studies = judgments.load([path], plan)
    same = JudgmentEqualityClaim(
        table="Figure 2", row="TSCCA", column="frequency", study="intrusion", printed="equally",
        attribute="frequency", values=("frequent", "rare"),
    )  # fmt: skip
    chance, pair, equal = judged(
        [order("TSCCA", study="intrusion"), order("TSCCA", "C&W", "intrusion"), same], studies
    )

    score = next(s for s in studies[0].results.scores if s.embedding == "TSCCA")
    assert (chance.verdict, chance.ours.value) == ("agrees", score.pooled.value - 0.25)
    assert pair.verdict == "agrees"
    parts = {each.name: each.scores[0].pooled.value for each in studies[0].results.slices}
    assert equal.ours.value == pytest.approx(parts["frequent"] - parts["rare"])
    assert equal.verdict == "agrees"


def test_a_contrast_is_the_difference_of_the_scores_on_two_kinds_of_items(tmp_path, plan):
    path = written(tmp_path / "c.study", comparison(), {"CBOW": 0.5})
    (study,) = judgments.load([path], plan)
    contrast = JudgmentContrastClaim(
        table="Figure 1", row="CBOW", column="category", study="comparison", printed="lower",
        attribute="concreteness", higher=("abstract",), lower="concrete",
    )  # fmt: skip
    found, missing = judged(
        [contrast, JudgmentContrastClaim(**{**as_dict(contrast), "lower": "odd"})], [study]
    )

    parts = {each.name: each.scores[0].normalised for each in study.results.slices}
    errors = [(each.high - each.low) / (2 * 1.959964) for each in
              (parts["abstract"], parts["concrete"])]  # fmt: skip
    assert found.ours.value == pytest.approx(parts["abstract"].value - parts["concrete"].value)
    half = 1.959964 * np.hypot(*errors)
    assert found.ours.high - found.ours.value == pytest.approx(half)
    assert missing.reason == "The study has no items with concreteness odd."


def as_dict(claim):
    return {name: getattr(claim, name) for name in claim.__struct_fields__}


def test_the_embeddings_of_a_study_may_have_the_names_of_vectors(tmp_path, plan):
    path = written(tmp_path / "c.study", comparison(("cbow-50-1", "GloVe-50-1")), {})
    (study,) = judgments.load([path], plan)

    assert study.models == {"CBOW": "cbow-50-1", "GloVe": "GloVe-50-1"}


def test_a_study_of_other_embeddings_is_refused_with_their_names(tmp_path, plan):
    path = written(tmp_path / "c.study", comparison(("mine", "yours")), {})

    with pytest.raises(BadData, match=r"has the embeddings mine, yours\. They must be named"):
        judgments.load([path], plan)


def test_a_study_without_judgments_is_an_error_with_its_path(tmp_path, plan):
    StudyFile.create(tmp_path / "empty.study", comparison()).close()

    with pytest.raises(BadData, match=r"empty\.study: The study has no judgments"):
        judgments.load([tmp_path / "empty.study"], plan)
