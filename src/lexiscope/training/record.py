"""The record of a training, a JSON file next to the vectors.

It identifies the training, describes its outcome, and has the command that repeats it.
"""

import json
import os
import platform
import shlex
import tempfile
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.contracts.settings import name_of
from lexiscope.core.contracts.trainer import RECORD_FORMAT, Stepwise
from lexiscope.core.corpus import Corpus
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.versions import versions
from lexiscope.data.atomic_write import replacing
from lexiscope.data.local_data import LocalData, sha256_of
from lexiscope.data.vectors import save
from lexiscope.data.vectors.formats.writers import move
from lexiscope.training.spec import Training


class Timing(NamedTuple):
    """Seconds of reading and training, and how often the training was interrupted."""

    reading: float = 0.0
    training: float = 0.0
    interruptions: int = 0


def record_path(path: Path) -> Path:
    """The record of a vector file."""
    return path.with_name(f"{path.name}.json")


def read_record(path: Path) -> dict[str, Any] | None:
    """Read the record of a vector file; None if there is no valid one."""
    record = record_path(path)
    if not record.is_file():
        return None
    try:
        found = json.loads(record.read_bytes())
    except (ValueError, RecursionError):
        return None
    valid = isinstance(found, dict) and found.get("format") == RECORD_FORMAT
    return found if valid and isinstance(found.get("files"), dict) else None


def origin(training: Training, corpus: Corpus) -> str:
    """Describe in one line where vectors come from: trainer, non-default settings, text.

    Hogwild training is mentioned first, where no table truncates it.
    """
    defaults = {f.name: f.default for f in fields(training.trainer)}
    given = {**training.trainer.settings, **training.setting_names}
    other = [f"{name}={value}" for name, value in given.items() if defaults[name] != value]
    settings = f" ({', '.join(other)})" if other else ""
    base = getattr(training.trainer, "base", None)
    source = corpus.origin or (base.origin if isinstance(base, Embedding) else "")
    text = f" of {source}" if source else ""
    hogwild = "" if training.trainer.repeatable else ", with hogwild threads, not reproducible"
    return shown(f"{name_of(type(training.trainer))}{hogwild}{settings}{text}", 400)


def outcome(
    training: Training, corpus: Corpus, embedding: Embedding, timing: Timing
) -> dict[str, Any]:
    """Describe corpus, vectors, software, machine and time of a finished training."""
    return {
        "paper": training.trainer.paper,
        "repeatable": training.trainer.repeatable,
        "corpus": {
            "tokens": len(corpus),
            "sentences": corpus.sentences,
            "words": len(corpus.vocabulary),
            "left_out": corpus.left_out,
            "sha256": corpus.fingerprint,
            "repairs": list(corpus.repairs),
        },
        "embedding": {
            "words": len(embedding),
            "dimension": embedding.dimension,
            "sha256": embedding.fingerprint,
            "repairs": list(embedding.repairs),
        },
        "versions": versions(),
        "platform": platform.platform(),
        "threads": threads(),
        "cpus": os.cpu_count(),
        "seconds": {"reading": round(timing.reading, 3), "training": round(timing.training, 3)},
        "interruptions": timing.interruptions,
        **_speed(training, corpus, timing.training),
    }


def _speed(training: Training, corpus: Corpus, seconds: float) -> dict[str, int]:
    """Tokens per second over all epochs, for trainers that process the text token by token."""
    epochs = training.trainer.settings.get("epochs")
    if not isinstance(training.trainer, Stepwise) or epochs is None:
        return {}
    return {"tokens_per_second": round(len(corpus) * epochs / max(seconds, 1e-9))}


def command(training: Training, local_data: LocalData, path: Path) -> str:
    """The command that repeats a training, with all settings written out."""
    settings = {**training.trainer.settings, **training.setting_names}
    preprocessing = training.preprocessing.as_dict() if training.texts else {}
    options = {**settings, **preprocessing, "seed": training.seed, "name": training.name}
    if training.on_error != "stop":
        options["on_error"] = training.on_error
    if local_data.folder:
        options["data_dir"] = local_data.folder
    parts = [part for name, value in options.items() for part in _option(name, value)]
    trainer = training.trainer_name or name_of(type(training.trainer))
    texts = ["--", *training.texts] if training.texts else []
    return shlex.join(["lexiscope", "train", trainer, "-o", str(path), *parts, *texts])


def _option(name: str, value: Any) -> list[str]:
    dashed = name.replace("_", "-")
    if value is None:
        return []
    if isinstance(value, bool):
        return [f"--{dashed}" if value else f"--no-{dashed}"]
    return [f"--{dashed}", str(value)]


def save_with_record(embedding: Embedding, record: dict[str, Any], path: Path) -> None:
    """Save vectors and record so that they always belong together.

    The vectors are written to a temporary folder first. The record has their checksums and is put
    into place before them. If this is interrupted, the training counts as unfinished.
    """
    if embedding.is_sparse and path.suffix != ".safetensors":
        raise BadUsage(f"{path}: sparse vectors can only be saved as .safetensors.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = tempfile.TemporaryDirectory(prefix=".training-", dir=path.parent)
    except OSError as error:
        raise BadData(f"{path}: cannot be written ({error.strerror}).") from None
    with temporary as folder:
        save(embedding, Path(folder, path.name))
        written = sorted(Path(folder).iterdir())
        files = {file.name: sha256_of(file) for file in written}
        content = json.dumps({"format": RECORD_FORMAT, **record, "files": files}, indent=2)
        with replacing(record_path(path)) as record_file:
            record_file.write(content.encode() + b"\n")
        move(Path(folder, path.name), path)


def is_finished(training: Training, local_data: LocalData, path: Path) -> bool:
    """Whether this training has already written the file; an error if anything else has."""
    existing = [file for file in (path, record_path(path), _words_path(path)) if file.exists()]
    if not existing:
        return False
    found = read_record(path)
    if found is None:
        raise BadUsage(
            f"{existing[0]}: exists already, and there is no record of a training that wrote it. "
            "Choose another name, or overwrite it with --force."
        )
    differing = differences(found, training.identity(local_data))
    if "-" in training.texts:
        raise BadUsage(
            f"{path}: exists already, and whether standard input has the same text is unknown. "
            "Choose another name, or overwrite it with --force."
        )
    if differing:
        raise BadUsage(
            f"{path}: exists already, from a training that differs in {', '.join(differing)}. "
            "Choose another name, or overwrite it with --force."
        )
    return _is_complete(path, found)


def differences(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """The names of what differs between two identities; texts are compared by content."""
    old, new = _flat(found), _flat(json.loads(json.dumps(wanted)))
    names = [name for name in new if old.get(name) != new[name]]
    return [name.removeprefix("settings ") for name in names]


def _flat(identity: Mapping[str, Any]) -> dict[str, Any]:
    trainer, steps = identity.get("trainer") or {}, identity.get("preprocessing") or {}
    texts = [text.get("sha256") for text in identity.get("texts") or ()]
    plain = {name: identity.get(name) for name in ("name", "seed", "reader_version", "on_error")}
    settings = {f"settings {name}": v for name, v in (trainer.get("settings") or {}).items()}
    which = {"trainer": trainer.get("name"), "version": trainer.get("version")}
    return {**plain, **which, **settings, "texts": texts, **steps}


def _is_complete(path: Path, found: Mapping[str, Any]) -> bool:
    """Whether all files of a record exist; an error if one of them was changed."""
    files = {path.with_name(name): sha256 for name, sha256 in found["files"].items()}
    for file, sha256 in files.items():
        if file.exists() and sha256_of(file) != sha256:
            raise BadUsage(
                f"{file}: was changed after the training in its record, or the training was "
                "interrupted while writing. Choose another name, or overwrite it with --force."
            )
    return all(file.exists() for file in files)


def _words_path(path: Path) -> Path:
    """The word list next to an array without words; else the vector file itself."""
    stem = path.with_suffix("") if path.suffix in (".gz", ".bz2", ".xz") else path
    return stem.with_suffix(".words") if stem.suffix == ".npy" else path
