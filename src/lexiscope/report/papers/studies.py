"""Sections on human studies: what people judged, and what machine proxies answer."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from lexiscope.core.display import shown
from lexiscope.papers.judgments import JudgedStudy
from lexiscope.papers.proxies import Proxies, WinRatio
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import MISSING, count, p_value, signed, with_interval
from lexiscope.report.study.tables import comparison_table, score_table, slice_table

_PROXIES = (
    "These are not judgments of people, and no claim of the paper is judged by them. Machines "
    "answer the items of the paper's two studies.",
    "Comparison: a proxy chooses the neighbour that is most similar to the query. WordNet uses "
    "path similarity and never chooses a word that it lacks; ties are shared. Each of the other "
    "embeddings chooses by cosine among the words that are not its own offer alone, and does not "
    "judge itself. Intervals and permutation tests are over query words.",
    "Intrusion: a proxy finds the option that is least similar to the others; the chance level is "
    "0.25. Items with a word that the proxy lacks are left out.",
)
_RANKS = "Ratios at different ranks are relative to the other embeddings at the same rank."


def sections(studies: Sequence[JudgedStudy], found: Proxies) -> list[Section]:
    """Return a section for each study with judgments, and one on machine proxies."""
    listed = [_study(each) for each in studies]
    tables = list(proxy_tables(found))
    if tables:
        listed.append(
            Section("Machine proxies of the human studies", (*_PROXIES, *found.notes, _RANKS),
                    tuple(tables))
        )  # fmt: skip
    return listed


def _study(each: JudgedStudy) -> Section:
    results = each.results
    judges = "simulated judges, no people" if each.simulated else "judges"
    text = (
        f"{count(results.judgments)} judgments of {count(results.judges)} {judges} in "
        f"{shown(each.path)}, {count(results.queries)} query words.",
        *results.cautions,
    )
    by = groupby(results.slices, lambda part: part.by)
    slices = [slice_table(list(parts), name) for name, parts in by]
    tables = (score_table(results), comparison_table(results), *slices)
    return Section(f"Human study: {each.study.kind}", text, tables)


def proxy_tables(found: Proxies) -> Iterable[Table]:
    """Return the tables of win ratios, their differences, and intrusion."""
    for proxy in dict.fromkeys(each.proxy for each in found.ratios):
        yield ratio_table([each for each in found.ratios if each.proxy == proxy], proxy)
    if found.pairs:
        yield pair_table(found)
    if found.intrusion:
        yield intrusion_table(found)


def ratio_table(ratios: Sequence[WinRatio], proxy: str) -> Table:
    """Return the win ratios of a proxy: a row for each group of items."""
    names = list(dict.fromkeys(each.embedding for each in ratios))
    rows = []
    for (by, group), parts in groupby(ratios, lambda each: (each.by, each.group)):
        cells = {each.embedding: each for each in parts}
        items = next(iter(cells.values())).items
        values = (with_interval(cells[name].ratio) for name in names)
        rows.append((shown(f"{by} {group}".strip().replace("_", " ")), count(items), *values))
    head = ("items", "number", *map(shown, names))
    caption = f"Comparison, machine proxy: win ratios (95 % CI), chosen by {proxy}"
    return Table(head, tuple(rows), caption, numeric=(1,))


def pair_table(found: Proxies) -> Table:
    """Return the differences of win ratios: a row for each pair, columns for each proxy."""
    proxies = list(dict.fromkeys(each.proxy for each in found.pairs))
    at = {(each.proxy, each.first, each.second): each for each in found.pairs}
    rows = []
    for first, second in dict.fromkeys((each.first, each.second) for each in found.pairs):
        cells: list[str] = []
        for proxy in proxies:
            pair = at.get((proxy, first, second))
            cells += [signed(pair.difference), p_value(pair.p)] if pair else [MISSING, MISSING]
        rows.append((f"{shown(first)} minus {shown(second)}", *cells))
    head = ("models", *(name for proxy in proxies for name in (f"difference, {proxy}", "p")))
    caption = "Comparison, machine proxies: differences of win ratios, not corrected"
    return Table(head, tuple(rows), caption, numeric=tuple(range(1, len(head))))


def intrusion_table(found: Proxies) -> Table:
    """Return the proportion of intruders that each proxy finds."""
    names = list(dict.fromkeys(each.embedding for each in found.intrusion))
    others = dict.fromkeys(each.proxy for each in found.intrusion if each.proxy not in names)
    proxies = [*names, *others]
    at = {(each.embedding, each.proxy): each for each in found.intrusion}
    rows = []
    for name in names:
        cells = []
        for proxy in proxies:
            each = at.get((name, proxy))
            known = each is not None and each.items
            cells.append(
                f"{each.precision:.3f} ({each.low:.3f} to {each.high:.3f}), n = {each.items}"
                if each is not None and known
                else MISSING
            )
        rows.append((shown(name), *cells))
    head = ("neighbours of", *map(shown, proxies))
    caption = "Intrusion, machine proxies: proportion of intruders found (95 % CI), by proxy"
    return Table(head, tuple(rows), caption)
