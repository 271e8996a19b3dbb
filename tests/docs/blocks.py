"""The sh and python blocks of a page, with what their markers say.

A marker is an HTML comment on the line above a block: `<!-- test: network -->` for a block that
downloads data, `<!-- test: slow -->` for one that needs minutes, `<!-- test: save as mine.toml -->`
for a file that other blocks read, `<!-- test: given words.study -->` for a file of `stand_ins` that
the block reads without naming it, and `<!-- test: skip because ... -->`. A block that names an
entry of the catalogue needs the network without a marker.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from lexiscope.data.catalogue import catalogue

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(
    r"(?P<markers>(?:^ *<!-- test: [^\n]* -->\n)*)^(?P<indent> *)```(?P<language>\w+)\n"
    r"(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_MARKER = re.compile(r"<!-- test: (network|slow|given|save as|skip because) ?(.*?) -->")
# These print the entry, or say what is there.
_LOCAL = re.compile(r"lexiscope (data (list|show)|\w+ .*--offline)")
# The README has no markers.
_README = {"make demo ": "installs everything and runs these tests"}
_BETWEEN = re.compile(r"[\s=,:@'\"]+")


@dataclass(frozen=True)
class Block:
    """One block, the line of its fence, and what its markers say."""

    page: str
    line: int
    language: str
    code: str
    network: bool = False
    slow: bool = False
    skipped: str = ""
    file: str = ""
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def fast(self) -> bool:
        """Whether it runs in seconds and without a network."""
        return not (self.network or self.slow or self.skipped)


@cache
def blocks(page: str) -> tuple[Block, ...]:
    """Return the blocks of a page that run, or that a marker saves as a file."""
    text = (ROOT / page).read_text("utf-8")
    found = [_block(page, text, match) for match in _BLOCK.finditer(text)]
    return _in_order([b for b in found if b.file or b.language in {"sh", "python"}])


def _in_order(found: list[Block]) -> tuple[Block, ...]:
    """Python blocks use the names of those above, so they need what those need."""
    network = slow = False
    ordered = []
    for block in found:
        if block.language == "python" and not block.skipped and not block.file:
            network, slow = network or block.network, slow or block.slow
            block = replace(block, network=network, slow=slow)
        ordered.append(block)
    return tuple(ordered)


def _block(page: str, text: str, match: re.Match[str]) -> Block:
    markers = dict(_MARKER.findall(match["markers"]))
    assert len(markers) == match["markers"].count("\n"), f"unknown marker: {match['markers']}"
    code = re.sub(rf"^{match['indent']}", "", match["code"], flags=re.MULTILINE)
    return Block(
        page,
        text.count("\n", 0, match.start("language")) + 1,
        match["language"],
        code,
        network="network" in markers or _downloads(match["language"], code),
        slow="slow" in markers,
        skipped=markers.get("skip because", "") or _installs(code),
        file=markers.get("save as", ""),
        given=tuple(markers.get("given", "").split()),
    )


def _installs(code: str) -> str:
    return next((reason for start, reason in _README.items() if code.startswith(start)), "")


def _downloads(language: str, code: str) -> bool:
    if language == "python":
        return any(name in _entries() for name in re.findall(r'"([^"\n]+)"', code))
    return any(
        not _LOCAL.search(line)
        and (
            re.search(r"reproduce s[1-4]|--language", line)
            or not _entries().isdisjoint(_words(line))
        )
        for line in code.replace("\\\n", " ").splitlines()
    )


def _words(line: str) -> list[str]:
    """The parts of the arguments of a command, without its comment."""
    return _BETWEEN.split(line.partition(" #")[0])


@cache
def _entries() -> frozenset[str]:
    entries = catalogue().values()
    return frozenset(entry.name for entry in entries)
