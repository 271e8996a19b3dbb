"""Results in a notebook: the layer that renders them is above, so it is known by name only."""

from importlib import import_module


class HasCard:
    """Results that a notebook shows as a card with a verdict and a table."""

    def _repr_html_(self) -> str:
        html: str = import_module("lexiscope.report.cards").card_of(self)
        return html
