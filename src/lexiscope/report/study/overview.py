"""The design and the progress of a study, its items and machine proxies, as lines of text."""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from lexiscope.core.display import shown
from lexiscope.core.study import OPT_OUT, Item, Judge, Judgment, Study
from lexiscope.human.proxies import ProxyScore
from lexiscope.human.workload import (
    SECONDS_PER_ITEM,
    judges_needed,
    minutes_of_judge,
    scored_items_of_judge,
)
from lexiscope.report.sentences import counted

_WIDTH = 80


def design(study: Study) -> dict[str, Any]:
    """Return the size of a study: items, judges needed, implied hourly wage."""
    settings, items = study.settings, study.scored
    per_judge = scored_items_of_judge(study)
    ratings = len(items) * settings.judges_per_item
    minutes = minutes_of_judge(study)
    return {
        "task": study.kind,
        "embeddings": list(study.embeddings),
        "queries": len({item.query for item in items}),
        "items": len(items),
        "merged_options": sum(any(len(s) > 1 for s in item.sources) for item in items),
        "control_items": len(study.controls),
        "judges_per_item": settings.judges_per_item,
        "items_per_judge": per_judge,
        "judges_needed": judges_needed(study),
        "judgments_needed": ratings,
        "minutes_per_judge": minutes,
        "pay_per_hour": 60 * settings.pay_per_judge / minutes if settings.pay_per_judge else None,
        "currency": settings.currency,
        "rare_below": study.manifest.get("rare_below"),
        "intruder_width": study.manifest.get("width"),
        "widened": study.manifest.get("widened", 0),
        "left_out": list(study.manifest.get("left_out", [])),
    }


def design_lines(study: Study) -> list[str]:
    """Return the size of a study as sentences."""
    found = design(study)
    names = ", ".join(shown(name) for name in found["embeddings"])
    lines = [
        f"{counted(found['items'], 'item')} ({study.kind}) of "
        f"{counted(found['queries'], 'query word')} and "
        f"{counted(len(study.embeddings), 'embedding')}: {names}.",
    ]
    if study.kind == "comparison":
        lines.append(
            f"In {counted(found['merged_options'], 'item')} several embeddings have the same "
            "neighbour; it is shown once and credited to all of them."
        )
    if found["rare_below"] and any("frequency" in item.attributes for item in study.scored):
        lines.append(f"Words that occur fewer than {found['rare_below']:,} times are rare.")
    if found["widened"]:
        lines.append(
            f"In {counted(found['widened'], 'item')} no word had a frequency within "
            f"{found['intruder_width']:g} of the mean; the width was doubled until one had."
        )
    lines.append(
        f"{counted(found['judges_per_item'], 'judgment')} of every item need at least "
        f"{counted(found['judges_needed'], 'judge')} with "
        f"{counted(found['items_per_judge'], 'item')} each."
    )
    lines += _pay_lines(found)
    if found["left_out"]:
        lines.append(f"Left out: {len(found['left_out'])}, such as {shown(found['left_out'][0])}.")
    return wrapped(lines)


def _pay_lines(found: Mapping[str, Any]) -> list[str]:
    if found["pay_per_hour"] is None:
        return []
    return [
        f"At {SECONDS_PER_ITEM:g} seconds per item, a judge works "
        f"{found['minutes_per_judge']:.0f} minutes and earns {found['pay_per_hour']:.2f} "
        f"{shown(found['currency'])} per hour. Compare that with the minimum wage."
    ]


def item_record(item: Item, blind: bool = False) -> dict[str, Any]:
    """Return an item as plain data; a blind one is as judges see it."""
    seen = {"id": item.id, "query": item.query, "options": list(item.options)}
    if blind:
        return seen
    return {
        **seen, "kind": item.kind, "embeddings": [list(names) for names in item.sources],
        "rank": item.rank, "answer": item.answer, "control": item.control, "width": item.width,
        "attributes": dict(item.attributes),
    }  # fmt: skip


def item_lines(item: Item, blind: bool = False) -> list[str]:
    """Return an item as lines of at most 80 characters."""
    asked = "most similar to" if item.kind == "comparison" else "does not belong; query"
    notes = [] if blind else [f"rank {item.rank}"] * (item.rank is not None)
    notes += [] if blind else list(item.attributes.values())
    notes += ["control item"] * (item.control and not blind)
    head = f"{asked} {shown(item.query)}" + (f" ({', '.join(map(shown, notes))})" if notes else "")
    lines = [head[:_WIDTH]]
    for number, (word, names) in enumerate(zip(item.options, item.sources, strict=True)):
        mark = "*" if not blind and item.answer == number else " "
        credit = "" if blind or not names else "  " + ", ".join(map(shown, names))
        lines.append(f"  {number + 1} {mark} {shown(word)}{credit}"[:_WIDTH])
    return [*lines, ""]


def progress(
    study: Study, judges: Sequence[Judge], judgments: Sequence[Judgment], closed: float | None
) -> dict[str, Any]:
    """Return how far a study is."""
    scored = {item.id for item in study.scored}
    per_item = Counter(each.item for each in judgments if each.item in scored)
    numbers = [per_item.get(item, 0) for item in scored]
    times = [each.seconds for each in judgments if each.seconds is not None]
    target = study.settings.judges_per_item
    return {
        "closed": closed is not None,
        "judges": len(judges),
        "finished_judges": sum(judge.finished is not None for judge in judges),
        "platforms": dict(Counter(judge.platform for judge in judges)),
        "judgments": len(judgments),
        "opt_outs": sum(each.choice == OPT_OUT for each in judgments),
        "items": len(scored),
        "judges_needed": judges_needed(study, per_item),
        "complete_items": sum(number >= target for number in numbers),
        "judges_per_item": target,
        "least_judgments": min(numbers, default=0),
        "median_judgments": median(numbers) if numbers else 0,
        "most_judgments": max(numbers, default=0),
        "median_seconds": median(times) if times else None,
    }


def progress_lines(found: Mapping[str, Any]) -> list[str]:
    """Return the progress of a study as sentences."""
    lines = [
        f"{'Closed' if found['closed'] else 'Open'}: {counted(found['judges'], 'judge')}, "
        f"{found['finished_judges']} finished; {counted(found['judgments'], 'judgment')}, "
        f"{counted(found['opt_outs'], 'opt-out')}.",
        f"{found['complete_items']} of {counted(found['items'], 'item')} have "
        f"{found['judges_per_item']} or more judgments; judgments per item: "
        f"{found['least_judgments']} to {found['most_judgments']}, "
        f"median {found['median_judgments']:g}.",
    ]
    if found["judges_needed"]:
        lines.append(f"At least {counted(found['judges_needed'], 'more judge')} needed.")
    if found["median_seconds"] is not None:
        lines.append(f"Median time per item: {found['median_seconds']:.1f} s.")
    return wrapped(lines)


def proxy_lines(found: Sequence[ProxyScore]) -> list[str]:
    """Return the coherence of each embedding and all proxies as tables, with what they are."""
    width = max(9, *(len(shown(each.embedding, 14)) for each in found))
    lines = [f"{'embedding':<{width}} {'proxy':<20} items unsolved  found  95 % CI         judges"]
    lines += [_proxy_line(each, width) for each in found]
    note = (
        "found: proportion of intruders that the proxy finds; chance level 0.250. All proxies: the "
        "mean over the proxies of an item, a coherence score of the embedding. unsolved: items "
        "with a word that the proxy does not know. judges: Spearman's correlation with the "
        f"precision of judges over items{_judged(found)}. A proxy is no person."
    )
    return [*lines, *wrapped([note])]


def _proxy_line(each: ProxyScore, width: int) -> str:
    proxy = f"all, {each.frequency}" if each.frequency else each.proxy
    name = f"{shown(each.embedding, 14):<{width}} {shown(proxy, 20):<20}"
    counts = f"{each.items:>6} {each.unsolved:>8}"
    if not each.items:
        return f"{name}{counts}      -"
    with_judges = "-" if each.correlation is None else f"{each.correlation:+.2f}"
    return (
        f"{name}{counts}  {each.precision:.3f}  {each.low:.3f} to {each.high:.3f}  {with_judges:>6}"
    )


def _judged(found: Sequence[ProxyScore]) -> str:
    """How many items the correlations are over, and the interval of the first."""
    judged = [each for each in found if each.correlation is not None]
    if not judged:
        return ""
    numbers = [each.judged_items for each in judged]
    first = judged[0]
    limits = (
        f"; that of {shown(first.embedding, 20)} and {first.proxy} has the 95 % CI "
        f"{first.correlation_low:+.2f} to {first.correlation_high:+.2f}"
        if first.correlation_low is not None
        else ""
    )
    return f" ({min(numbers)} to {max(numbers)} items{limits})"


def wrapped(sentences: Sequence[str]) -> list[str]:
    """Return sentences as lines of at most 80 characters."""
    return [line for each in sentences for line in textwrap.wrap(each, _WIDTH) or [""]]
