"""Sections of the page on an inspection."""

from collections.abc import Iterable, Iterator

from lexiscope.core.display import shown
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.results import Inspected, InspectionResults, SpaceAgreement
from lexiscope.report.inspection import charts, tables
from lexiscope.report.inspection.charts import Point
from lexiscope.report.inspection.verdict import cautions, verdict_sentences
from lexiscope.report.inspection.word_map import word_map
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import percent
from lexiscope.report.sentences import counted, listed

QUESTION = "What do these vectors encode besides meaning?"
_PROPERTIES = {
    "mean cosine": "Mean cosine over all pairs of words. 0 if directions are balanced.",
    "IsoScore": "How evenly the variance is spread over dimensions: 1 if evenly, 0 if it is in one "
    "dimension (Rudman et al. 2022).",
    "partition ratio": "Ratio of the smallest and the largest partition function over the "
    "principal directions: 1 for an isotropic space (Mu and Viswanath 2018).",
    "effective dimension": "Participation ratio of the variances of the principal components.",
    "hubness": "Skewness of the number of neighbour lists (of 10) that a word is in. Hubs are in "
    "many lists (Radovanović et al. 2010).",
    "anti-hubs": "Proportion of words that are in no neighbour list.",
}
_AGREE = {"Linear CKA": "cka", "Neighbour Jaccard": "jaccard"}
_BIAS = (
    "WEAT compares the associations of two sets of targets, X and Y, with two sets of attributes, "
    "A and B: the effect size d is above 0 if X is nearer to A than Y is (Caliskan et al. 2017). "
    "The p-value is over partitions of the same targets. The relative norm distance (RND) is "
    "above 0 if the attributes are nearer to Y (Garg et al. 2018).",
    "These numbers describe word sets, not words or applications. The sets are small and chosen by "
    "hand, d and even its sign can change with the choice, the p-value says nothing about other "
    "words, and frequency enters every cosine: Ethayarajh et al. (2019) show that WEAT "
    "overestimates bias systematically and that attributes can be chosen to give either result. "
    "A d near 0 is no evidence that an application treats groups equally (Goldfarb-Tarrant et al. "
    "2021).",
)


def lead(results: InspectionResults) -> str:
    """Name the embeddings."""
    names = listed([shown(each.embedding) for each in results.embeddings])
    return f"{counted(len(results.embeddings), 'embedding')}: {names}."


def sections(results: InspectionResults) -> list[Section]:
    """Return all sections of the page."""
    found = [
        verdict(results), probe(results), neighbours(results), shape(results), norms(results),
        maps(results), agreement(results), transforms(results), bias(results), sources(results),
    ]  # fmt: skip
    return [section for section in found if section.text or section.parts]


def verdict(results: InspectionResults) -> Section:
    """What is found, in sentences."""
    return Section("Verdict", tuple(verdict_sentences(results)), flags=tuple(cautions(results)))


def probe(results: InspectionResults) -> Section:
    """The frequency probe."""
    table = tables.probe_table(results)
    text = (
        "A logistic regression on unit-length vectors separates frequent from rare words, as many "
        "of one as of the other at each threshold (5-fold cross-validation; Schnabel et al. 2015, "
        "figure 3). With permuted labels it must be at chance. The cosine between the weight "
        "vectors of successive thresholds, trained on different words, shows whether the direction "
        "of frequency turns; the cosine with itself is its upper limit on this number of words.",
    )
    units = dict.fromkeys(e.source.unit for e in results.embeddings if e.probe.points)
    parts = tuple(_probe_figure(results, unit, table) for unit in sorted(units))
    states = [
        f"{shown(e.embedding)}: {e.probe.state}." for e in results.embeddings if e.probe.state
    ]
    return Section("Frequency probe", text, parts, flags=tuple(states))


def _probe_figure(results: InspectionResults, unit: str, table: Table) -> Figure:
    chosen = [each for each in results.embeddings if each.source.unit == unit]
    points = [
        _point(each.embedding, point.threshold, point.accuracy)
        for each in chosen
        for point in each.probe.points
    ]
    names = [each.embedding for each in results.embeddings]
    about = "Accuracy of the frequency probe of each embedding over the threshold."
    spec = charts.curve(
        points, names, (f"threshold ({unit}, log scale)", "accuracy"), about, rule=0.5
    )
    return Figure(f"Accuracy by threshold of the {unit}", spec, table)


def _point(name: str, x: float, found: Estimate) -> Point:
    return Point(name, x, *found.ends)


def neighbours(results: InspectionResults) -> Section:
    """Neighbour rank against corpus rank."""
    points = [
        _point(each.embedding, point.neighbour_rank, point.corpus_rank)
        for each in results.embeddings
        for point in each.neighbours.points
    ]
    if not points:
        states = [f"{shown(e.embedding)}: {e.neighbours.state}." for e in results.embeddings]
        return Section("Neighbours and frequency", tuple(states))
    text = (
        "The corpus rank of the neighbours of each query word, averaged over queries (Schnabel et "
        "al. 2015, figure 4): arithmetic means at each neighbour rank, without binning; neighbours "
        "with equal cosines have the mean of their ranks. A flat line at the corpus rank of random "
        "words would mean that cosine does not depend on frequency. The two directions of a fit in "
        "logarithms give "
        "different exponents: their product is R². The exponent depends on the candidates, which "
        "are all words of the embedding, so compare it for vocabularies of equal size only.",
    )
    names = [each.embedding for each in results.embeddings]
    about = "Mean corpus rank of the neighbours of query words, over the neighbour rank."
    titles = ("neighbour rank (log scale)", "mean corpus rank (log scale)")
    spec = charts.curve(points, names, titles, about, log_y=True)
    figure = Figure("Mean corpus rank by neighbour rank", spec, tables.rank_table(results))
    return Section("Neighbours and frequency", text, (figure, tables.fit_table(results)))


def shape(results: InspectionResults) -> Section:
    """The shape of the space."""
    names = [each.embedding for each in results.embeddings]
    figures = []
    for metric, about in _PROPERTIES.items():
        points = [
            _point(each.embedding, point.words, point.value)
            for each in results.embeddings
            for point in each.shape
            if point.metric == metric and point.value.value is not None
        ]
        if points:
            titles = ("most frequent words (log scale)", metric)
            spec = charts.curve(points, names, titles, about)
            figures.append(Figure(_title(metric, about), spec, _shape_rows(results, metric)))
    text = (
        "Every property depends on how many words are taken, so each is a curve over the most "
        "frequent words. Bands are 95 % intervals for other words of the same kind, from random "
        "subsamples; for hubness and anti-hubs, the range of five subsamples.",
    )
    return Section("Shape of the space", text if figures else (), tuple(figures))


def _title(metric: str, about: str) -> str:
    return f"{metric[0].upper()}{metric[1:]}: {about[0].lower()}{about[1:]}"


def _shape_rows(results: InspectionResults, metric: str) -> Table:
    whole = tables.shape_table(results)
    rows = tuple(row for row in whole.rows if row[1] == metric)
    return Table(whole.head, rows, whole.caption, folded=True, numeric=whole.numeric)


def norms(results: InspectionResults) -> Section:
    """Norms against frequency."""
    found = [e for e in results.embeddings if e.norms and e.norms.correlation.value is not None]
    if not found:
        return Section("Norms and frequency")
    text = tuple(
        f"{shown(e.embedding)}: Spearman correlation of norm and frequency {_rho(e)}."
        for e in found
    )
    points = [
        _point(each.embedding, band.first, band.norm)
        for each in found
        if each.norms
        for band in each.norms.bands
    ]
    names = [each.embedding for each in results.embeddings]
    about = "Mean norm of the vectors of words in bands of frequency."
    titles = ("first frequency rank of the band (log scale)", "mean norm")
    figure = Figure(
        "Mean norm by frequency rank",
        charts.curve(points, names, titles, about),
        tables.norm_table(results),
    )
    return Section("Norms and frequency", text, (figure,))


def _rho(each: Inspected) -> str:
    assert each.norms is not None
    found = each.norms.correlation
    if found.low is None or found.high is None:
        return f"{found.value:+.3f}"
    return f"{found.value:+.3f} (95 % CI {found.low:+.3f} to {found.high:+.3f})"


def maps(results: InspectionResults) -> Section:
    """A map of words for each embedding."""
    figures = [
        Figure(_map_title(each), word_map(each.mapped), tables.map_table(each.mapped))
        for each in results.embeddings
        if each.map.points
    ]
    text = (
        "A plane keeps little of the space: distances on it are not cosines, and clusters need not "
        "exist. Drag to move, scroll to magnify.",
    )
    return Section("What this space looks like", text if figures else (), tuple(figures))


def _map_title(each: Inspected) -> str:
    kept = f", {percent(each.map.explained)} of the variance" if each.map.explained else ""
    words = counted(len(each.map.points), "word")
    return f"{shown(each.embedding)}: {words} ({each.map.projection}{kept})"


def agreement(results: InspectionResults) -> Section:
    """The agreement of every two spaces."""
    title = "Agreement of spaces"
    states = tuple(f"{_pair(each)}: {each.state}." for each in results.agreement if each.state)
    if not any(each.points for each in results.agreement):
        return Section(title, states)
    text = (
        "Linear CKA compares all distances on the shared words, the Jaccard index the 10 nearest "
        "neighbours of 1,000 random words among these. 1: the same space but for rotation and "
        "scale. Both depend on how many words are taken.",
        *states,
    )
    table = tables.agreement_curves(results)
    return Section(title, text, tuple(_agreement_figure(results, each, table) for each in _AGREE))


def _agreement_figure(results: InspectionResults, title: str, table: Table) -> Figure:
    points = [
        _point(_pair(each), point.words, getattr(point, _AGREE[title]))
        for each in results.agreement
        for point in each.points
        if getattr(point, _AGREE[title]).value is not None
    ]
    names = [_pair(each) for each in results.agreement]
    about = f"{title} of every two embeddings over the number of most frequent shared words."
    titles = ("most frequent shared words (log scale)", title)
    return Figure(title, charts.curve(points, names, titles, about), table)


def _pair(each: SpaceAgreement) -> str:
    return f"{shown(each.first, 24)} and {shown(each.second, 24)}"


def transforms(results: InspectionResults) -> Section:
    """Effects of transforms."""
    if not results.transforms and not results.transform_failures:
        return Section("Transforms")
    text = (
        "The vectors before and after each transform are evaluated on the same items, with paired "
        "tests, corrected over all of these comparisons. Scores are different, "
        "equivalent (the difference is smaller than the margin) or undecided. The frequency probe "
        "is repeated on the transformed vectors, with the same words.",
    )
    found = (tables.transform_table(results), tables.probe_change_table(results))
    return Section("Transforms", text, tuple(each for each in found if each.rows),
                   flags=results.transform_failures)  # fmt: skip


def bias(results: InspectionResults) -> Section:
    """Association tests."""
    if not any(each.bias for each in results.embeddings):
        return Section("Associations of word sets")
    flags = tuple(_words_left_out(results.embeddings))
    return Section("Associations of word sets", _BIAS, (tables.bias_table(results),), flags=flags)


def _words_left_out(embeddings: Iterable[Inspected]) -> Iterator[str]:
    for each in embeddings:
        for test in each.bias:
            name = f"{shown(each.embedding)}, {shown(test.test)}"
            if test.absent:
                yield f"{name}: not in the vocabulary: {listed(list(map(shown, test.absent)))}."
            if test.left_out:
                words = listed(list(map(shown, test.left_out)))
                yield f"{name}: left out at random for targets of equal number: {words}."


def sources(results: InspectionResults) -> Section:
    """Where frequencies come from."""
    return Section("Frequencies", (), (tables.source_table(results),))
