"""What is needed to repeat a run, and whom to thank for its data."""

from typing import Any

from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.data.catalogue import Entry, catalogue
from lexiscope.report.layout import Section, Table

_LONGEST = 400
_OURS = """@misc{{lexiscope,
  author = {{{{The Lexiscope developers}}}},
  title  = {{Lexiscope: which word embedding answers better, and how sure is that}},
  note   = {{Version {version}}}
}}"""


def manifest(results: Results) -> Section:
    """What is needed to repeat this."""
    about = results.manifest
    tables = (
        _embeddings(about),
        _datasets(about),
        Table(
            ("task", "version", "settings"),
            tuple(
                (shown(t["name"]), str(t["version"]), _text(t["settings"])) for t in about["tasks"]
            ),
        ),
        Table(
            ("what", "value"),
            tuple(
                (key, _text(value))
                for key, value in about.items()
                if key not in ("embeddings", "datasets", "tasks") and value != []
            ),
        ),
    )
    return Section("How it was made", (f"Run {shown(results.run)}.",), tables)


def _embeddings(about: dict[str, Any]) -> Table:
    rows = tuple(
        (
            shown(e["name"]),
            f"{e['words']:,} × {e['dimension']}",
            shown(e["origin"], 120),
            e["sha256"],
        )
        for e in about["embeddings"]
    )
    return Table(("embedding", "size", "origin", "sha256 of the content"), rows)


def _datasets(about: dict[str, Any]) -> Table:
    rows = tuple(
        (shown(d["name"]), d["kind"], f"{d['items']:,}", d["sha256"]) for d in about["datasets"]
    )
    return Table(("dataset", "kind", "items", "sha256 of the content"), rows, numeric=(2,))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return shown(", ".join(f"{k} {v}" for k, v in value.items()), _LONGEST)
    if isinstance(value, list):
        return "; ".join(shown(str(item), _LONGEST) for item in value)
    return shown(str(value), _LONGEST)


def sources(results: Results) -> Section:
    """Licences and citations of the catalogue's data that was used, and of lexiscope."""
    used = _used(results)
    version = shown(results.manifest["versions"]["lexiscope"])
    citations = [*(entry.citation.strip() for entry in used), _OURS.format(version=version)]
    rows = tuple((e.name, e.title, e.licence, " ".join(e.note.split())) for e in used)
    table = Table(("name", "title", "licence of the data", "known problems"), rows)
    text = () if used else ("No data of the catalogue was used.",)
    return Section(
        "Data: licences and citations",
        text,
        (table,) if used else (),
        tuple(dict.fromkeys(citations)),
    )


def _used(results: Results) -> list[Entry]:
    """Entries by name: datasets, vectors, and what the run was broken down by."""
    about = results.manifest
    names = [d["name"] for d in about["datasets"]]
    names += [e["name"].partition("@")[0] for e in about["embeddings"]]
    names += [title.partition("(")[2].rstrip(")") for title in about.get("by", [])]
    known = catalogue()
    return [known[name] for name in dict.fromkeys(names) if name in known]
