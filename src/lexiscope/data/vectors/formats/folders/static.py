"""Reader of static embedding models: model2vec, and StaticEmbedding of sentence-transformers.

`model.safetensors` has the vectors of tokens (`embeddings` or `embedding.weight`), and of model2vec
also a weight for each token (`weights`) and its row (`mapping`). `tokenizer.json` has the tokens.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.formats.folders.parts import json_in, valid_words
from lexiscope.data.vectors.formats.native import tensors_in
from lexiscope.data.vectors.formats.stream import Settings
from lexiscope.data.vectors.shared_rows import shared_rows
from lexiscope.data.vectors.subwords.wordpiece import WordPieces
from lexiscope.data.vectors.tokens import numbered, unmarked

_NAMES = ("embeddings", "embedding.weight")
_TINY = np.float32(1e-32)


class _Model(msgspec.Struct):
    """The vocabulary of a tokenizer: a map from tokens to ids, or a list of (token, score)."""

    vocab: dict[str, int] | list[tuple[str, float]]
    type: str = ""
    unk_token: str | None = None


class _Step(msgspec.Struct):
    """What the tokenizer does before it divides words into pieces."""

    type: str = ""
    lowercase: bool = False
    strip_accents: bool | None = None


class _Added(msgspec.Struct):
    """A token that is no part of the language, such as [PAD]."""

    content: str
    special: bool = False


class _Tokenizer(msgspec.Struct):
    """The file tokenizer.json."""

    model: _Model
    added_tokens: list[_Added] = []
    normalizer: _Step | None = None
    pre_tokenizer: _Step | None = None

    @property
    def special(self) -> set[str | None]:
        """Tokens that are no words."""
        return {self.model.unk_token, *(t.content for t in self.added_tokens if t.special)}


class _Config(msgspec.Struct):
    """The file config.json of model2vec."""

    normalize: bool | None = None


class _Module(msgspec.Struct):
    """An entry of modules.json of sentence-transformers."""

    type: str = ""


def read(folder: Path, settings: Settings) -> Embedding:
    """Read the vectors of the words among the tokens, as the model encodes a text of one word."""
    path = str(folder)
    tensors = tensors_in(str(folder / "model.safetensors"))
    table, tokenizer = _table(path, tensors), json_in(folder / "tokenizer.json", _Tokenizer)
    tokens, ids = _tokens(folder, tokenizer, tensors.get("mapping"), len(table))
    rows = _rows(path, tensors.get("mapping"), ids, len(table))
    vectors = _weighted(path, table[rows], tensors.get("weights"), ids)
    normalised = _is_normalised(folder)
    pieces = _pieces(tokenizer, tokens, vectors, "embeddings" in tensors, normalised)
    kept = unmarked(tokens, path, has_pieces=pieces is not None)
    valid, left_out = valid_words(kept.words, path)
    special = tokenizer.special
    valid = valid[[kept.words[position] not in special for position in valid.tolist()]]
    valid = valid if settings.limit is None else valid[: settings.limit]
    words = [kept.words[position] for position in valid.tolist()]
    chosen = vectors[kept.positions[valid]]
    if normalised:
        chosen = chosen / (np.linalg.norm(chosen, axis=1, keepdims=True) + _TINY)
    found = from_columns("", words, chosen, path, settings.on_error)
    notes = (*kept.notes, *left_out, *shared_rows(words, rows[kept.positions[valid]], path))
    return replace(found, repairs=(*notes, *found.repairs), subwords=pieces)


def _pieces(
    tokenizer: _Tokenizer,
    tokens: list[str],
    vectors: NDArray[np.float32],
    skip_unknown: bool,
    normalised: bool,
) -> WordPieces | None:
    """The pieces of OOV words, if the tokenizer is that of BERT."""
    first, second = tokenizer.normalizer, tokenizer.pre_tokenizer
    kinds = (tokenizer.model.type, first and first.type, second and second.type)
    if first is None or kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer"):
        return None
    ids = {token: row for row, token in enumerate(tokens) if token != tokenizer.model.unk_token}
    strip = first.lowercase if first.strip_accents is None else first.strip_accents
    return WordPieces(ids, vectors, first.lowercase, strip, skip_unknown, normalised)


def _table(path: str, tensors: dict[str, NDArray[Any]]) -> NDArray[Any]:
    name = next((name for name in _NAMES if name in tensors), None)
    if name is None:
        names = ", ".join(sorted(tensors)[:8]) or "nothing"
        raise BadData(
            f"{path}/model.safetensors: has no vectors of tokens named {' or '.join(_NAMES)} (it "
            f"contains {names}). A model with layers must encode words: give lexiscope.Encoder."
        )
    table = tensors[name]
    if table.ndim != 2 or table.dtype.kind not in "fi" or not table.size:
        raise BadData(f"{path}/model.safetensors: {name} {table.shape} is no table of vectors.")
    return table


def _tokens(
    folder: Path, tokenizer: _Tokenizer, mapping: NDArray[Any] | None, rows: int
) -> tuple[list[str], NDArray[np.int64]]:
    """The tokens and their ids."""
    vocabulary = tokenizer.model.vocab
    if isinstance(vocabulary, list):
        vocabulary = {token: number for number, (token, _) in enumerate(vocabulary)}
    number = rows if mapping is None else len(mapping)
    found = numbered(vocabulary, number, f"{folder}/tokenizer.json")
    if not found.words:
        raise BadData(f"{folder}/tokenizer.json: has no tokens.")
    return found.words, found.rows


def _rows(
    path: str, mapping: NDArray[Any] | None, ids: NDArray[np.int64], number: int
) -> NDArray[np.int64]:
    if mapping is None:
        return ids
    if mapping.ndim != 1 or mapping.dtype.kind not in "iu":
        raise BadData(f"{path}/model.safetensors: mapping {mapping.shape} is no list of rows.")
    rows = mapping[ids].astype(np.int64)
    if rows.min() < 0 or rows.max() >= number:
        raise BadData(
            f"{path}/model.safetensors: mapping names row {int(rows.max()):,} of {number:,}."
        )
    return rows


def _weighted(
    path: str, vectors: NDArray[Any], weights: NDArray[Any] | None, ids: NDArray[np.int64]
) -> NDArray[np.float32]:
    numbers = vectors.astype(np.float32)
    if weights is None:
        return numbers
    if weights.ndim != 1 or weights.dtype.kind != "f" or ids.max() >= len(weights):
        raise BadData(
            f"{path}/model.safetensors: weights {weights.shape} are no list of one number for each "
            "token."
        )
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(numbers * weights[ids].astype(np.float32)[:, None])


def _is_normalised(folder: Path) -> bool:
    """Whether the model divides vectors by their length."""
    for name in ("config.json", "../config.json"):
        if (folder / name).is_file() and json_in(folder / name, _Config).normalize:
            return True
    for name in ("modules.json", "../modules.json"):
        if (folder / name).is_file():
            kinds = (module.type for module in json_in(folder / name, list[_Module]))
            return any(kind.endswith(".Normalize") for kind in kinds)
    return False
