"""The sections of the page of a study of made languages."""

from lexiscope.bench.studied import Studied
from lexiscope.core.display import shown
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.study_tables import (
    curve_table,
    difference_table,
    facet_table,
    order_table,
    score_table,
    variant_table,
    verdict_sentence,
    verdict_table,
)

_SAYS = {
    "agrees": "our 95 % interval and what the paper says have a value in common",
    "open": "our interval is wider than 30 points: more trials would tell",
    "possible": "they have none in common, but as many of our trials as the paper had would all "
    "come out as its trials did at least 1 time in 20",
    "differs": "neither",
    "not told apart": "the difference may be chance",
}


def study_sections(studied: Studied) -> list[Section]:
    """The sections that have something to say."""
    found = [
        _verdicts(studied),
        _scores(studied),
        _curves(studied),
        _differences(studied),
        _facets(studied),
        _variants(studied),
        _settings(studied),
    ]
    return [each for each in found if each is not None]


def _verdicts(studied: Studied) -> Section | None:
    if not studied.verdicts:
        return None
    text = [verdict_sentence(studied)]
    text += [f"{word.capitalize()}: {meaning}." for word, meaning in _SAYS.items()]
    parts = [verdict_table(studied)]
    if studied.orders:
        parts.append(order_table(studied))
    return Section("What the paper says and what was found", tuple(text), tuple(parts))


def _scores(studied: Studied) -> Section:
    text = (
        "Subspace: a linear SVM learns a facet from some words and is asked about others. "
        "Neighbour: is the nearest word in the whole space of the same kind? Triples: does one "
        "word less another plus a third lead to the right type? All numbers are shares of right "
        "answers.",
        "Intervals are over trials: the words of one trial share a corpus and a training. Half of "
        "the held-out words can be right by chance where both classes are asked.",
    )
    return Section("Subspace beside neighbours", text, (score_table(studied),))


def _curves(studied: Studied) -> Section | None:
    figures = []
    for criterion in studied.plan.criteria:
        if len(criterion.points) < 2 or criterion.grammar.sweep is None:
            continue
        rows = [
            f for f in studied.rows(criterion.name, study="subspace", main=True) if f.at is not None
        ]
        points = [
            Point(f.model, f.at, f.value, f.low, f.high)
            for f in rows
            if f.value is not None and f.at is not None
        ]
        names, parameter = [m.name for m in studied.plan.models], criterion.grammar.sweep.parameter
        chart = lines_over(points, names, "share of right answers", 1.0, parameter)
        figures.append(Figure(shown(criterion.name), chart, curve_table(studied, criterion.name)))
    if not figures:
        return None
    text = (
        "Points are shares of right answers of the SVM, bands their 95 % intervals over trials.",
    )
    return Section("Over the values of a parameter", text, tuple(figures))


def _differences(studied: Studied) -> Section | None:
    text = (
        "Models of a trial learned from the same sentences, so they are compared trial by trial: "
        "signs of the differences of whole trials are flipped. Holm's correction is over the pairs "
        "of models of a criterion.",
    )
    if not studied.comparisons:
        return None
    return Section("Which differences are real", text, (difference_table(studied),))


def _facets(studied: Studied) -> Section | None:
    text = (
        "Accurate: of the held-out words of which an answer was given, the share of which it is "
        "true. Consistent: of those of which it is true, the share of which it was given.",
    )
    if not studied.facets:
        return None
    return Section("Accurate and consistent", text, (facet_table(studied),))


def _variants(studied: Studied) -> Section | None:
    if all(each.main for each in studied.found):
        return None
    text = (
        "The same trainings, asked in other ways that the paper leaves open. What was fixed before "
        "anything was asked stands first; nothing was chosen by these numbers.",
    )
    tables = tuple(variant_table(studied, c.name) for c in studied.plan.criteria)
    return Section("What hangs on how one asks", text, tables)


def _settings(studied: Studied) -> Section:
    about = studied.manifest
    models = tuple(
        (
            shown(each["name"]),
            f"{each['trainer']}, version {each['version']}",
            each["kind"],
            ", ".join(f"{key}={value}" for key, value in each["settings"].items()),
        )
        for each in about["models"]
    )
    criteria = tuple(
        (shown(each["name"]), shown(each["about"], 200), shown(each["question"], 200),
         shown(" ".join(each["held_out"]), 200), each["sha256"])
        for each in about["criteria"]
    )  # fmt: skip
    versions = tuple((name, value) for name, value in about["versions"].items())
    rest = (
        ("sentences of a trial", f"{about['sentences']:,}"),
        ("trials", f"{about['trials']:,}"),
        ("seed", str(about["seed"])),
        ("interval", about["interval"]),
        ("tests", about["tests"]),
    )
    head = ("name", "grammar", "question", "held out", "sha256 of the grammar")
    return Section(
        "Settings",
        ("The same plan, seed and versions give the same numbers, on any number of processes.",),
        (
            Table(("what", "value"), rest, "The sweep"),
            Table(("model", "trainer", "kind", "settings"), models, "Models"),
            Table(head, criteria, "Made languages"),
            Table(("part", "version"), versions, "Versions", folded=True),
        ),
    )
