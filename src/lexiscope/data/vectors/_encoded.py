"""The words an encoder was asked for, as an embedding; what was encoded before is not asked again.

An encoder is known by its class, its template, its answers to a few texts of ours and the weights
that can be seen in it. What is kept counts only when it still gives the same for some of the words.
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
from lexiscope.data.vectors import _kept
from lexiscope.data.vectors._encoders import Encoder, numbers, spaced, stacked
from lexiscope.data.vectors._reading import fault

Vectors = NDArray[np.float32]
Keep = Callable[[Sequence[str], Vectors], None]

# Near in length and spelling: what cannot tell these apart is a table that does not know them.
_PROBES = ("cat", "cot", "dog", "running", "New York", "Straße", "zyzzyva", "the river bank", "42")
_SAMPLE = 16
_SECONDS = 10.0
_SHARE = 20  # writing takes at most this part of the time


def read(
    encoder: Encoder, name: str | None, words: Iterable[str] | None, progress: Progress | None
) -> Embedding:
    """The embedding of the words, from the cache where they were encoded before."""
    wanted = _checked(words)
    spoken = [spaced(word) for word in wanted]
    texts = list(dict.fromkeys(spoken))
    identity = _identity(encoder) if encoder.cache else ""
    kept = _trusted(encoder, identity, texts)
    old = [text for text in texts if kept is not None and text in kept]
    new = [text for text in texts if kept is None or text not in kept]
    parts = [kept[old]] if kept is not None and old else []
    notes: list[str] = []
    if new:
        identity = identity if _is_steady(encoder, new[:_SAMPLE]) else ""
        keep = _keeper(identity, notes) if identity else _keep_none
        parts.append(_fresh(encoder, new, keep, progress))
    table = stacked(parts, f"{encoder.called}, kept and new")
    if spoken != old + new:
        table = table[Vocabulary((*old, *new)).find(spoken)]
    origin = _origin(encoder, identity)
    called = name or encoder.called
    return Embedding(called, Vocabulary(wanted), table, origin=origin, repairs=tuple(notes))


def _checked(words: Iterable[str] | None) -> tuple[str, ...]:
    """Each word once; refused before the encoder has worked for hours."""
    if words is None:
        raise BadUsage("An encoder has no word list of its own: give words=[...] to encode.")
    if isinstance(words, str):
        raise BadUsage(f"words must be a list of words, found the text '{shown(words)}'.")
    wanted = tuple(dict.fromkeys(words))
    if not wanted:
        raise BadUsage("An encoder needs at least one word to encode.")
    for place, word in enumerate(wanted):
        text = isinstance(word, str)
        problem = fault(word) if text else f"a word must be text, found {type(word).__name__}"
        if problem:
            raise BadData(f"words: word {place + 1}: {problem}.")
    return wanted


def _origin(encoder: Encoder, identity: str) -> str:
    kept = f"kept as {identity[:12]}" if identity else "not kept"
    return f"{_model(encoder)} of '{shown(encoder.template)}', New_York as 'New York', {kept}"


def _model(encoder: Encoder) -> str:
    name: str = getattr(encoder.model, "__qualname__", type(encoder.model).__qualname__)
    return name


def _fresh(encoder: Encoder, words: list[str], keep: Keep, progress: Progress | None) -> Vectors:
    """The vectors of words that are not kept; what is done when something stops it is kept."""
    parts: list[Vectors] = []
    kept = done = 0
    pause, since = _SECONDS, monotonic()
    try:
        for start in range(0, len(words), encoder.batch):
            parts.append(encoder.encode(words[start : start + encoder.batch]))
            done += len(parts[-1])
            if progress is not None:
                progress(encoder.called, done, len(words))
            if monotonic() - since > pause:
                begun = monotonic()
                keep(words[kept:done], stacked(parts, encoder.called)[kept:])
                kept, since = done, monotonic()
                pause = max(_SECONDS, _SHARE * (since - begun))
    finally:
        if done > kept:
            keep(words[kept:done], stacked(parts, encoder.called)[kept:])
    return stacked(parts, encoder.called)


def _is_steady(encoder: Encoder, words: list[str]) -> bool:
    """Whether the same words get the same vectors to the last bit; far apart is refused."""
    first, second = encoder.encode(words), encoder.encode(words)
    if not _alike(first, second):
        raise BadData(
            f"{encoder.called}: the same word gets another vector when asked again. Switch off "
            "what is random in the encoder; for PyTorch call model.eval()."
        )
    return np.array_equal(first, second)


def _alike(first: Vectors, second: Vectors) -> bool:
    """Whether two tables differ by no more than the rounding of half precision."""
    if first.shape != second.shape:
        return False
    apart = np.linalg.norm(first - second, axis=1)
    return bool((apart <= 0.01 * np.linalg.norm(first, axis=1)).all())


def _identity(encoder: Encoder) -> str:
    """What the vectors are kept under; "" when nothing would tell this encoder from another."""
    about = f"{_model(encoder)}\0{encoder.template}\0{encoder.key}"
    digest = hashlib.sha256(about.encode("utf-8", "surrogatepass"))
    if encoder.key:
        return digest.hexdigest()
    try:
        probed = encoder.encode(_PROBES)
        for name, weights in _weights(encoder.model):
            digest.update(f"{name} {weights.shape} {weights.dtype}".encode())
            digest.update(np.ascontiguousarray(weights).data)
    except Exception:  # a table may know the words of the caller and fail at any other
        return ""
    digest.update(probed.tobytes())
    return digest.hexdigest() if len(np.unique(probed, axis=0)) == len(_PROBES) else ""


def _weights(model: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays inside a model: retrofitting moves words that no probe may hit."""
    owner = model.__self__ if isinstance(model, MethodType) else model
    state = getattr(owner, "state_dict", None)
    inside = state() if callable(state) else getattr(owner, "__dict__", {})
    for name in sorted(inside):
        if isinstance(inside[name], np.ndarray) or hasattr(inside[name], "cpu"):
            weights = numbers(inside[name], name)
            if weights.dtype.kind in "fiub":
                yield name, weights


def _trusted(encoder: Encoder, identity: str, texts: Sequence[str]) -> Embedding | None:
    """What is kept, if the encoder gives the same for some of the texts today.

    A `key` is the caller's word for that, and the model is left in peace.
    """
    kept = _kept.read(identity) if identity else None
    if kept is None or encoder.key:
        return kept
    shared = [text for text in texts if text in kept]
    sample = shared[:: max(1, len(shared) // _SAMPLE)][:_SAMPLE]
    if not sample or _alike(kept[sample], encoder.encode(sample)):
        return kept
    _kept.drop(identity)
    return None


def _keeper(identity: str, notes: list[str]) -> Keep:
    """Keeps vectors under an identity; `notes` tells when that fails."""

    def keep(words: Sequence[str], vectors: Vectors) -> None:
        try:
            _kept.add(identity, Embedding(identity, Vocabulary(tuple(words)), vectors))
        except BadData as problem:  # the vectors are right all the same
            notes[:] = [f"The encoded vectors are not kept for the next time: {problem}"]

    return keep


def _keep_none(words: Sequence[str], vectors: Vectors) -> None:
    """For encoders that nothing tells apart, and those that say cache=False."""
