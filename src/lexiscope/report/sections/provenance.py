"""Provenance: what is needed to repeat a run, and the licences and citations of its data."""

from typing import Any

from lexiscope.core.display import shown
from lexiscope.data.catalogue import Entry, catalogue
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import count
from lexiscope.report.sentences import counted

_LONGEST = 400
_OURS = """@misc{{lexiscope,
  author = {{{{The Lexiscope developers}}}},
  title  = {{Lexiscope: evaluation of word embeddings with confidence intervals and tests}},
  note   = {{Version {version}}}
}}"""
_ELSEWHERE = ("embeddings", "datasets", "tasks", "by")  # keys with a table or section of their own


def provenance(results: Results) -> Section:
    """Inputs with checksums, settings and versions."""
    about = results.manifest
    tasks = tuple(
        (shown(t["name"]), str(t["version"]), _text(t["settings"])) for t in about["tasks"]
    )
    rest = tuple(
        (key, _text(value)) for key, value in about.items() if key not in _ELSEWHERE and value != []
    )
    tables = (
        _embeddings(about),
        _datasets(about),
        Table(("task", "version", "settings"), tasks, "Tasks"),
        Table(("key", "value"), rest, "Environment and settings"),
    )
    run = f"run {shown(results.run)}"
    abstract = f"{run}, lexiscope {shown(about['versions']['lexiscope'])}, seed {about['seed']}"
    text = (f"R{run[1:]}.",)
    return Section("Provenance", text, tables, folded=True, abstract=abstract)


def _embeddings(about: dict[str, Any]) -> Table:
    rows = tuple(
        (
            shown(e["name"]),
            f"{count(e['words'])} × {e['dimension']}",
            shown(e["origin"], 120),
            e["sha256"],
        )
        for e in about["embeddings"]
    )
    return Table(("embedding", "size", "origin", "sha256 of the content"), rows, "Embeddings")


def _datasets(about: dict[str, Any]) -> Table:
    rows = tuple(
        (shown(d["name"]), d["kind"], count(d["items"]), d["sha256"]) for d in about["datasets"]
    )
    head = ("dataset", "kind", "items", "sha256 of the content")
    return Table(head, rows, "Datasets", numeric=(2,))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return shown(", ".join(f"{k} {v}" for k, v in value.items()), _LONGEST)
    if isinstance(value, list):
        return "; ".join(shown(str(item), _LONGEST) for item in value)
    return shown(str(value), _LONGEST)


def citations(results: Results) -> Section:
    """Licences and citations of the catalogue data that was used, and of lexiscope."""
    used = _used(results)
    version = shown(results.manifest["versions"]["lexiscope"])
    entries = [*(entry.citation.strip() for entry in used), _OURS.format(version=version)]
    rows = tuple((e.name, e.title, e.licence, " ".join(e.note.split())) for e in used)
    table = Table(("name", "title", "licence of the data", "known problems"), rows)
    text = () if used else ("No data of the catalogue was used.",)
    tables = (table,) if used else ()
    code = tuple(dict.fromkeys(entries))
    abstract = f"BibTeX of {counted(len(code), 'source')}"
    return Section("Licences and citations", text, tables, code, folded=True, abstract=abstract)


def _used(results: Results) -> list[Entry]:
    """The catalogue entries of datasets, vectors and sources of attributes."""
    about = results.manifest
    names = [d["name"] for d in about["datasets"]]
    names += [e["name"].partition("@")[0] for e in about["embeddings"]]
    names += [attribute["source"] for attribute in about.get("by", [])]
    known = catalogue()
    return [known[name] for name in dict.fromkeys(names) if name in known]
