"""Small generated files with the names that the pages use, such as mine.vec and book.txt.

Words belong to topics, a vector is its topic plus noise, and each sentence is about one topic, so
that every task, trainer and study has something to find.
"""

import gzip
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.random import Generator

import lexiscope
from tests.docs.blocks import blocks

TOPICS = {
    "animal": "cat dog kitten puppy horse cow sheep wolf lion tiger mouse rabbit bird fish",
    "plant": "tree flower grass leaf rose oak root seed branch forest garden wood moss fern",
    "food": "bread cheese butter milk wine beer apple pear soup rice meat salt sugar honey",
    "vehicle": "car train ship plane bus truck boat bicycle wagon engine wheel road driver bridge",
    "royalty": "king queen prince princess crown throne palace castle knight duke lord man woman",
    "music": "song piano violin drum melody choir singer concert guitar flute opera note rhythm",
    "science": "logic set theory proof number class relation function truth axiom symbol meaning",
    "feeling": "happy sad angry good bad glad fear joy hope love hate pride shame anger",
}
_COMMON = ["the", "of", "and", "a", "in", "to", "is", "was", "with", "for", "on", "as", "by", "it"]
_RARE = 40  # invented words of each topic


@dataclass(frozen=True)
class World:
    """Words with topics; `vocabulary` replaces them by those of real vectors."""

    seed: int = 0
    real: "lexiscope.Embedding | None" = None

    @cached_property
    def topics(self) -> list[list[str]]:
        return [
            [*words.split(), *(f"{topic}{n}" for n in range(_RARE))]
            for topic, words in TOPICS.items()
        ]

    def embedding(self, name: str) -> "lexiscope.Embedding":
        """Vectors that differ from file to file in their noise."""
        rng = np.random.default_rng([self.seed, *name.encode()])
        if self.real is not None:
            vectors = np.array(self.real.vectors)
            vectors += rng.uniform(0.1, 0.8) * rng.normal(size=vectors.shape)
            return lexiscope.load((list(self.real.vocabulary.words), vectors), name=name)
        centres = np.random.default_rng(self.seed).normal(size=(len(self.topics), 25))
        words = [word for topic in zip(*self._padded(), strict=True) for word in topic if word]
        owner = {word: k for k, topic in enumerate(self.topics) for word in topic}
        noise = rng.uniform(0.4, 1.2) * rng.normal(size=(len(words), 25))
        vectors = [centres[owner[word]] for word in words] + noise
        common = rng.normal(size=(len(_COMMON), 25))
        both = np.concatenate([common, vectors]).astype(np.float32)
        return lexiscope.load(([*_COMMON, *words], both), name=name)

    def _padded(self) -> list[list[str]]:
        longest = max(map(len, self.topics))
        return [topic + [""] * (longest - len(topic)) for topic in self.topics]

    def text(self, rng: Generator, sentences: int = 3_000) -> str:
        """Sentences of ten words, each about one topic, in chapters."""
        return "\n".join(
            ("" if k % 300 else f"\nChapter {k // 300 + 1}\n\n") + self._sentence(rng)
            for k in range(sentences)
        )

    def _sentence(self, rng: Generator) -> str:
        topic = self.topics[rng.integers(len(self.topics))]
        rank = np.minimum(rng.geometric(0.06, 5) - 1, len(topic) - 1)
        words = [w for k in rank for w in (str(rng.choice(_COMMON)), topic[k])]
        if topic[0] == "logic" and rng.random() < 0.3:
            words += ["set", "theory"]
        return " ".join(words).capitalize() + "."

    def pairs(self, rng: Generator, separator: str = "\t") -> str:
        """Pairs of known words; those of one topic have higher ratings."""
        owner = {w: k for k, words in enumerate(TOPICS.values()) for w in words.split()}
        every = list(combinations(owner, 2))
        chosen = [every[k] for k in rng.permutation(len(every))]
        same = [p for p in chosen if owner[p[0]] == owner[p[1]]][:150]
        other = [p for p in chosen if owner[p[0]] != owner[p[1]]][:150]
        rows = [(*p, 4 + 5 * (p in same) + rng.normal()) for p in [*same, *other]]
        head = separator.join(("word1", "word2", "rating"))
        lines = (f"{a}{separator}{b}{separator}{rating:.2f}" for a, b, rating in rows)
        return "\n".join([head, *lines, ""])

    def words_with_labels(self) -> str:
        rows = (f"{w},{t}" for t, words in TOPICS.items() for w in words.split())
        return "\n".join(["word,label", *rows, ""])


def _vectors(path: Path, world: World) -> None:
    embedding = world.embedding(path.name)
    stem = path.name.removesuffix(".gz")
    plain = path.with_name("plain." + stem.rpartition(".")[2])
    lexiscope.save(embedding, plain)
    data = plain.read_bytes()
    plain.unlink()
    path.write_bytes(gzip.compress(data, 1) if path.suffix == ".gz" else data)


def _rng(path: Path) -> Generator:
    return np.random.default_rng(list(path.name.encode()))


def _text(path: Path, world: World) -> None:
    text = world.text(_rng(path)).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def _folder(path: Path, world: World) -> None:
    path.mkdir()
    for number in range(3):
        text = world.text(np.random.default_rng([number, *path.name.encode()]), 1_500)
        (path / f"{number}.txt").write_text(text, "utf-8")


def _pairs(path: Path, world: World) -> None:
    path.write_text(world.pairs(_rng(path)), "utf-8")


def _labels(path: Path, world: World) -> None:
    path.write_text(world.words_with_labels(), "utf-8")


def _tagged(path: Path, world: World) -> None:
    """Ten tokens of each word; most words of two topics are adjectives, the others nouns."""
    rng = _rng(path)
    for number, words in enumerate(TOPICS.values()):
        tags = ("JJ", "NN", "VB") if number in {2, 7} else ("NN", "VB", "JJ")
        lines = (
            " ".join(f"{word}/{tags[min(2, rng.geometric(0.7) - 1)]}" for _ in range(10))
            for word in words.split()
        )
        with path.open("a", encoding="utf-8") as file:
            file.write("\n".join([*lines, ""]))


def _list(*lines: str) -> Callable[[Path, World], None]:
    return lambda path, world: path.write_text("\n".join([*lines, ""]), "utf-8") and None


def _code(page: str, name: str) -> Callable[[Path, World], None]:
    """The file that a page shows, for the pages that only mention it."""

    def write(path: Path, world: World) -> None:
        [block] = [block for block in blocks(page) if block.file == name]
        path.write_text(block.code, "utf-8")

    return write


def _store(path: Path, world: World) -> None:
    """A finished run of two embeddings under several policies."""
    folder = path.parent
    (folder / "pairs.tsv").write_text(world.pairs(_rng(path)), "utf-8")
    lexiscope.run(
        {name: world.embedding(name) for name in ("mine", "theirs")},
        datasets=str(folder / "pairs.tsv"),
        all_policies=True,
        execution=lexiscope.Execution(store=path),
    )


def _study(path: Path, world: World) -> None:
    """A study with the judgments of simulated judges, closed."""
    folder = path.parent
    for name in ("a.vec", "b.vec"):
        _vectors(folder / name, world)
    (folder / "queries.txt").write_text("\n".join(_QUERIES), "utf-8")
    for arguments in (
        ["new", path.name, "a.vec", "b.vec", "--words", "queries.txt", "--controls", "2"],
        ["simulate", path.name],
    ):
        command = [sys.executable, "-m", "lexiscope", "study", *arguments]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


_TERMS = ("logic", "set theory", "proof", "number", "relation", "truth", "cat", "song", "king")
_QUERIES = [word for words in TOPICS.values() for word in words.split()[:5]]
_TASK, _TRAINER = "docs/adding-a-task.md", "docs/adding-a-trainer.md"
_PREFERENCES = [
    f"{verb}\tdobj\t{noun}\t{rating}"
    for verb, liked in (("eat", "food"), ("drive", "vehicle"), ("sing", "music"))
    for noun, rating in [
        *((w, 8 + len(w) / 10) for w in TOPICS[liked].split()[:8]),
        *((w, 2 + len(w) / 10) for w in TOPICS["royalty"].split()[:8]),
    ]
]
_FILLERS = [
    f"{verb}\tdobj\t{noun}"
    for verb, liked in (("eat", "food"), ("drive", "vehicle"), ("sing", "music"))
    for noun in TOPICS[liked].split()[8:]
]
_EXPERIMENT = """
[text]
sources = ["letters/"]

[[train]]
trainer = "svd"
dimension = 20

[evaluate]
vectors = ["mine.vec"]
datasets = ["my-pairs.tsv"]
"""

FILES: dict[str, Callable[[Path, World], None]] = {
    **dict.fromkeys(
        ("mine.vec", "theirs.bin.gz", "a.vec", "b.vec", "c.vec", "a.bin", "b.bin", "mine.bin",
         "glove.txt", "vectors.vec", "cbow-1.vec", "cbow-2.vec",
         "vectors.txt.gz", "shipped.vec", "retrained.vec"),
        _vectors,
    ),
    **dict.fromkeys(("my-pairs.tsv", "data/our-pairs.tsv"), _pairs),
    **dict.fromkeys(
        ("book.txt", "analysis-of-mind.txt", "text.txt", "a.txt", "b.txt.gz", "big.txt.gz"), _text
    ),
    **dict.fromkeys(("letters", "my-letters", "novels", "my-novels"), _folder),
    "DATA": lambda path, _: path.mkdir(),
    "my-words.csv": _labels,
    "lexiscope.sqlite": _store,
    "words.study": _study,
    "terms.txt": _list(*_TERMS),
    "index.txt": _list(*(f"{term}, {n + 1}, {n + 3}" for n, term in enumerate(_TERMS))),
    "my-words.txt": _list(*_QUERIES),
    "class-words.txt": _list(*_QUERIES),
    "mine.csv": _list("head\tslot\tword\trating", *_PREFERENCES),
    "fillers.tsv": _list("head\tslot\tfiller", *_FILLERS),
    "experiment.toml": _list(_EXPERIMENT),
    "mine.toml": _code("docs/grammars.md", "mine.toml"),
    "brown.txt": _tagged,
    "distance.py": _code(_TASK, "distance.py"),
    "my_task.py": _code(_TASK, "distance.py"),
    "path/to/my_task.py": _code(_TASK, "distance.py"),
    "my_trainer.py": _code(_TRAINER, "my_package/conditional.py"),
    "my_package/conditional.py": _code(_TRAINER, "my_package/conditional.py"),
}  # fmt: skip


def make(page: str, folder: Path, real: "lexiscope.Embedding | None" = None) -> None:
    """Write the files that the blocks of a page name, except those that the page itself shows."""
    found = [block for block in blocks(page) if not block.skipped]
    code = "\n".join(block.code for block in found)
    given = {name for block in found for name in block.given}
    shown = {block.file for block in found}
    for name, write in FILES.items():
        if name in given or (name not in shown and _named(name, code)):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, World(real=real))


def _named(name: str, code: str) -> bool:
    """Whether the code reads a file of this name, and does not write it."""
    if name in {"lexiscope.sqlite", "words.study"}:
        return False
    return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w.])", code) is not None and (
        re.search(rf"(>|-o|--output) {re.escape(name)}(?![\w.])", code) is None
    )
