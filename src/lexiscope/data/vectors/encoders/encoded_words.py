"""The embedding of words by an encoder, with a cache.

A model is identified by its class, its template, its vectors of a few probe texts and its visible
weights. Cached vectors are used only if the model still gives the same vectors for some words.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.progress import Progress
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.encoders import cache
from lexiscope.data.vectors.encoders.encoder import Encoder, numbers, spaced, stacked
from lexiscope.data.vectors.formats.stream import word_error

Vectors = NDArray[np.float32]
Keep = Callable[[Sequence[str], Vectors], None]

# Similar in length and spelling: a model with equal vectors for two of them is a look-up table.
_PROBES = ("cat", "cot", "dog", "running", "New York", "Straße", "zyzzyva", "the river bank", "42")
_SAMPLE = 16
_SECONDS = 10.0
_WRITE_INTERVAL = 20  # times the duration of writing


def read(
    encoder: Encoder, name: str | None, words: Iterable[str] | None, progress: Progress | None
) -> Embedding:
    """Return the embedding of the words; use cached vectors where possible."""
    wanted = _checked(words)
    texts_of_words = [spaced(word) for word in wanted]
    texts = list(dict.fromkeys(texts_of_words))
    identity = _identity(encoder) if encoder.cache else ""
    cached = _trusted(encoder, identity, texts)
    old = [text for text in texts if cached is not None and text in cached]
    new = [text for text in texts if cached is None or text not in cached]
    parts = [cached[old]] if cached is not None and old else []
    notes: list[str] = []
    if new:
        identity = identity if _is_deterministic(encoder, new[:_SAMPLE]) else ""
        keep = _keeper(identity, notes) if identity else _no_cache
        parts.append(_fresh(encoder, new, keep, progress))
    table = stacked(parts, f"{encoder.default_name}, cached and new")
    if texts_of_words != old + new:
        table = table[Vocabulary((*old, *new)).find(texts_of_words)]
    origin = _origin(encoder, identity)
    name = name or encoder.default_name
    return Embedding(name, Vocabulary(wanted), table, origin=origin, repairs=tuple(notes))


def _checked(words: Iterable[str] | None) -> tuple[str, ...]:
    """The distinct words, validated before a long encoding begins."""
    if words is None:
        raise BadUsage("An encoder has no word list of its own: give words=[...] to encode.")
    if isinstance(words, str):
        raise BadUsage(f"words must be a list of words, found the text '{shown(words)}'.")
    wanted = tuple(dict.fromkeys(words))
    if not wanted:
        raise BadUsage("An encoder needs at least one word to encode.")
    for number, word in enumerate(wanted, 1):
        text = isinstance(word, str)
        problem = word_error(word) if text else f"a word must be text, found {type(word).__name__}"
        if problem:
            raise BadData(f"words: word {number}: {problem}.")
    return wanted


def _origin(encoder: Encoder, identity: str) -> str:
    cached = f"cached as {identity[:12]}" if identity else "not cached"
    return f"{_model(encoder)} of '{shown(encoder.template)}', New_York as 'New York', {cached}"


def _model(encoder: Encoder) -> str:
    name: str = getattr(encoder.model, "__qualname__", type(encoder.model).__qualname__)
    return name


def _fresh(encoder: Encoder, words: list[str], keep: Keep, progress: Progress | None) -> Vectors:
    """The vectors of new words; finished ones are cached even after an error or interrupt."""
    parts: list[Vectors] = []
    saved = done = 0
    pause, since = _SECONDS, monotonic()
    try:
        for start in range(0, len(words), encoder.batch):
            parts.append(encoder.encode(words[start : start + encoder.batch]))
            done += len(parts[-1])
            if progress is not None:
                progress(encoder.default_name, done, len(words))
            if monotonic() - since > pause:
                begun = monotonic()
                keep(words[saved:done], stacked(parts, encoder.default_name)[saved:])
                saved, since = done, monotonic()
                pause = max(_SECONDS, _WRITE_INTERVAL * (since - begun))
    finally:
        if done > saved:
            keep(words[saved:done], stacked(parts, encoder.default_name)[saved:])
    return stacked(parts, encoder.default_name)


def _is_deterministic(encoder: Encoder, words: list[str]) -> bool:
    """Whether two calls give identical vectors; clearly different vectors are an error."""
    first, second = encoder.encode(words), encoder.encode(words)
    if not _nearly_equal(first, second):
        raise BadData(
            f"{encoder.default_name}: the same word gets a different vector in a second call. Make "
            "the encoder deterministic; for PyTorch call model.eval()."
        )
    return np.array_equal(first, second)


def _nearly_equal(first: Vectors, second: Vectors) -> bool:
    """Whether two tables are equal within the rounding of half precision."""
    if first.shape != second.shape:
        return False
    difference = np.linalg.norm(first - second, axis=1)
    return bool((difference <= 0.01 * np.linalg.norm(first, axis=1)).all())


def _identity(encoder: Encoder) -> str:
    """The cache key of the encoder; "" if it cannot be distinguished from others."""
    about = f"{_model(encoder)}\0{encoder.template}\0{encoder.key}"
    digest = hashlib.sha256(about.encode("utf-8", "surrogatepass"))
    if encoder.key:
        return digest.hexdigest()
    try:
        probed = encoder.encode(_PROBES)
        for name, weights in _weights(encoder.model):
            digest.update(f"{name} {weights.shape} {weights.dtype}".encode())
            digest.update(np.ascontiguousarray(weights).data)
    except Exception:  # a look-up table may fail for words that it does not have
        return ""
    digest.update(probed.tobytes())
    return digest.hexdigest() if len(np.unique(probed, axis=0)) == len(_PROBES) else ""


def _weights(model: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays of a model: retrofitting may change words that are not among the probes."""
    owner = model.__self__ if isinstance(model, MethodType) else model
    state = getattr(owner, "state_dict", None)
    inside = state() if callable(state) else getattr(owner, "__dict__", {})
    for name in sorted(inside):
        if isinstance(inside[name], np.ndarray) or hasattr(inside[name], "cpu"):
            weights = numbers(inside[name], name)
            if weights.dtype.kind in "fiub":
                yield name, weights


def _trusted(encoder: Encoder, identity: str, texts: Sequence[str]) -> Embedding | None:
    """The cached vectors, if the encoder still gives the same for a sample of the texts.

    With a `key`, the caller is responsible for that and the model is not called.
    """
    cached = cache.read(identity) if identity else None
    if cached is None or encoder.key:
        return cached
    shared = [text for text in texts if text in cached]
    sample = shared[:: max(1, len(shared) // _SAMPLE)][:_SAMPLE]
    if not sample or _nearly_equal(cached[sample], encoder.encode(sample)):
        return cached
    cache.drop(identity)
    return None


def _keeper(identity: str, notes: list[str]) -> Keep:
    """A function that caches vectors; failures are added to `notes`."""

    def keep(words: Sequence[str], vectors: Vectors) -> None:
        try:
            cache.add(identity, Embedding(identity, Vocabulary(tuple(words)), vectors))
        except BadData as problem:  # the vectors are valid nevertheless
            notes[:] = [f"The encoded vectors could not be cached: {problem}"]

    return keep


def _no_cache(words: Sequence[str], vectors: Vectors) -> None:
    """Do nothing: the encoder cannot be identified, or has cache=False."""
