"""Studies with words that are hard to lay out, and with names that judges must not see."""

from dataclasses import replace

from lexiscope.core.study import Item, Study
from tests.web.studies import SETTINGS

EMBEDDINGS = ("secretglove", "secretcbow", "secretsvd", "secretpdc", "secreths", "secretdm")
QUERIES = (
    "joy",
    "floccinaucinihilipilification",
    "سعادة",
    "the state of being extremely pleased with everything that one has got so far",
    "glad",
    "Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung",
)
OPTIONS = (
    "happiness",
    "merriment",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "שמחה גדולה",
    "to be in very high spirits about something",
    "glücklich",
)


def six_options(number=6, **settings):
    """Items with six options, one of each embedding."""
    items = [
        Item(f"k{k:04d}x", "comparison", QUERIES[k % 6] + " x" * (k // 6), OPTIONS,
             tuple((name,) for name in EMBEDDINGS), rank=5)
        for k in range(number)
    ]  # fmt: skip
    control = Item("k9999x", "comparison", "cold", ("chilly", "brick", "oblong"), ((), (), ()),
                   answer=0, control=True)  # fmt: skip
    settings = replace(SETTINGS, **{"items_per_judge": 4, **settings})
    return Study("comparison", settings, dict.fromkeys(EMBEDDINGS, "f"), (*items, control))


def odd_one_out(number=3):
    """Items with four words, of which one does not belong."""
    items = [
        Item(f"m{k:04d}x", "intrusion", f"apple{k}", (f"apple{k}", "pear", "plum", f"engine{k}"),
             ((), EMBEDDINGS[:1], EMBEDDINGS[:1], EMBEDDINGS[:1]), answer=3)
        for k in range(number)
    ]  # fmt: skip
    settings = replace(SETTINGS, items_per_judge=number, controls_per_judge=0)
    return Study("intrusion", settings, {EMBEDDINGS[0]: "f"}, tuple(items))
