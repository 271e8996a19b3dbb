"""What an inspection says, in sentences."""

from collections.abc import Iterator

from lexiscope.core.display import shown
from lexiscope.experiments.inspection.results import (
    Inspected,
    InspectionResults,
    ProbePoint,
    ShapePoint,
)
from lexiscope.report.numbers import count, percent, score, signed
from lexiscope.report.sentences import counted, listed

CHANCE = 0.5


def best_point(each: Inspected) -> ProbePoint | None:
    """The threshold with the highest accuracy."""
    points = [point for point in each.probe.points if point.accuracy.value is not None]
    return max(points, key=lambda point: point.accuracy.value or 0.0, default=None)


def widest(each: Inspected, metric: str) -> ShapePoint | None:
    """A property of the space of all words."""
    found = [point for point in each.shape if point.metric == metric]
    return max(found, key=lambda point: point.words, default=None)


def verdict_sentences(results: InspectionResults) -> list[str]:
    """Return two or three sentences for each embedding with several words."""
    found = [
        " ".join(filter(None, (_frequency(e), _neighbours(e), _shape(e))))
        for e in results.embeddings
        if e.words > 1
    ]
    return [*found, *stand_ins(results), *_transforms(results)]


def cautions(results: InspectionResults) -> list[str]:
    """Return the sentences on what limits the results."""
    return [*results.warnings, *(each for e in results.embeddings for each in e.cautions)]


def stand_ins(results: InspectionResults) -> list[str]:
    """Say which embeddings have no counts, so that ranks stand in for them."""
    names = [
        shown(e.embedding) for e in results.embeddings if e.source.unit == "rank" and e.words > 1
    ]
    if not names:
        return []
    have = "has" if len(names) == 1 else "have"
    return [
        f"{listed(names)} {have} no counts. The position of a word in the file stands in for its "
        "frequency; thresholds are ranks. --frequencies or --corpus gives counts."
    ]


def threshold_text(each: Inspected, threshold: int) -> str:
    """A threshold in the unit of the frequencies."""
    if each.source.unit == "rank":
        return f"the first {count(threshold)} words"
    return f"words that occur {count(threshold)} times or more"


def _frequency(each: Inspected) -> str:
    name, best = shown(each.embedding), best_point(each)
    if best is None:
        return f"{name}: the frequency probe could not be run ({each.probe.state})."
    above = [point for point in each.probe.points if (point.accuracy.low or 0) > CHANCE]
    if 2 * len(above) <= len(each.probe.points):  # the best of many can be above by accident
        return f"{name} shows no significant linear trace of word frequency at most thresholds."
    lowest = min(p.accuracy.value or 0.0 for p in each.probe.points)
    return (
        f"{name} encodes word frequency: a linear classifier separates "
        f"{threshold_text(each, best.threshold)} from the others with "
        f"{percent(best.accuracy.value)} accuracy (chance 50 %; lowest over all thresholds "
        f"{percent(lowest)})."
    )


def _neighbours(each: Inspected) -> str:
    found = each.neighbours.exponent
    if found.value is None or found.low is None or found.high is None:
        return f"Corpus ranks of neighbours have no power law: {each.neighbours.state}."
    if found.low > 0:
        what = "Nearer neighbours are more frequent words"
    elif found.high < 0:
        what = "Nearer neighbours are rarer words"
    else:
        what = "The frequency of neighbours does not change significantly with their rank"
    return (
        f"{what} (corpus rank ~ neighbour rank ^ {score(found.value)}, 95 % CI "
        f"{score(found.low)} to {score(found.high)})."
    )


def _shape(each: Inspected) -> str:
    cosine, iso = widest(each, "mean cosine"), widest(each, "IsoScore")
    if cosine is None or cosine.value.value is None or iso is None or iso.value.value is None:
        return ""
    return (
        f"Over all {count(cosine.words)} words, the mean cosine of random pairs is "
        f"{signed(cosine.value.value)} and the IsoScore {score(iso.value.value)}; both depend on "
        "the number of words."
    )


def _probes_after(results: InspectionResults) -> Iterator[str]:
    """How well frequency is predicted after each transform, at the best threshold of before."""
    best = {each.embedding: best_point(each) for each in results.embeddings}
    for each in results.transform_probes:
        before = best.get(each.embedding)
        after = [p for p in each.probe.points if before and p.threshold == before.threshold]
        if before and after:
            yield (
                f"After {shown(each.transform)}, the frequency probe of {shown(each.embedding)} "
                f"has an accuracy of {percent(after[0].accuracy.value)} instead of "
                f"{percent(before.accuracy.value)} at threshold {count(before.threshold)}."
            )


def _transforms(results: InspectionResults) -> list[str]:
    """How many evaluations each transform improves, worsens, leaves equivalent or undecided."""
    found = [*_probes_after(results)]
    for transform in dict.fromkeys(each.transform for each in results.transforms):
        chosen = [each for each in results.transforms if each.transform == transform]
        changes = [
            (each.difference.value or 0) if each.outcome == "different" else 0 for each in chosen
        ]
        better, worse = sum(each > 0 for each in changes), sum(each < 0 for each in changes)
        equivalent = sum(each.outcome == "equivalent" for each in chosen)
        found.append(
            f"Transform {shown(transform)}: significantly better in {better}, significantly worse "
            f"in {worse}, equivalent in {equivalent} and undecided in "
            f"{len(chosen) - better - worse - equivalent} of {counted(len(chosen), 'evaluation')}."
        )
    return found
