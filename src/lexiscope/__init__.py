"""Lexiscope looks at word embeddings through every lens the field has, and says how sure it is.

>>> import lexiscope
>>> results = lexiscope.run(["mine.vec", "glove-6b-50d"], datasets=["men", "simlex999"])
>>> results.to_frame()
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from lexiscope.bench.results import Results
    from lexiscope.bench.run import run
    from lexiscope.bench.study import reproduce, study
    from lexiscope.bench.training import read_corpus, train
    from lexiscope.core.corpus import Corpus
    from lexiscope.core.embedding import Embedding
    from lexiscope.core.errors import LexiscopeError
    from lexiscope.core.policy import Policy
    from lexiscope.core.preparation import Preparation
    from lexiscope.data.vectors import Encoder, load, save
    from lexiscope.report.exports import to_csv, to_latex, to_markdown
    from lexiscope.report.page import write as write_report
    from lexiscope.stats.neighbours import neighbours

# What a user needs, and where it lives: nothing heavy is imported before it is asked for.
_HOMES = {
    "Corpus": ("lexiscope.core.corpus", "Corpus"),
    "Embedding": ("lexiscope.core.embedding", "Embedding"),
    "Encoder": ("lexiscope.data.vectors", "Encoder"),
    "LexiscopeError": ("lexiscope.core.errors", "LexiscopeError"),
    "Policy": ("lexiscope.core.policy", "Policy"),
    "Preparation": ("lexiscope.core.preparation", "Preparation"),
    "Results": ("lexiscope.bench.results", "Results"),
    "load": ("lexiscope.data.vectors", "load"),
    "neighbours": ("lexiscope.stats.neighbours", "neighbours"),
    "read_corpus": ("lexiscope.bench.training", "read_corpus"),
    "reproduce": ("lexiscope.bench.study", "reproduce"),
    "run": ("lexiscope.bench.run", "run"),
    "save": ("lexiscope.data.vectors", "save"),
    "study": ("lexiscope.bench.study", "study"),
    "to_csv": ("lexiscope.report.exports", "to_csv"),
    "to_latex": ("lexiscope.report.exports", "to_latex"),
    "to_markdown": ("lexiscope.report.exports", "to_markdown"),
    "train": ("lexiscope.bench.training", "train"),
    "write_report": ("lexiscope.report.page", "write"),
}

__all__ = [
    "Corpus",
    "Embedding",
    "Encoder",
    "LexiscopeError",
    "Policy",
    "Preparation",
    "Results",
    "__version__",
    "load",
    "neighbours",
    "read_corpus",
    "reproduce",
    "run",
    "save",
    "study",
    "to_csv",
    "to_latex",
    "to_markdown",
    "train",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lexiscope' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
