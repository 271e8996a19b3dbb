"""Train an embedding: read the corpus, train, save the vectors with a record."""

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from numpy.random import default_rng

from lexiscope.cluster.connection import connection
from lexiscope.cluster.corpora import on_cluster
from lexiscope.core.contracts.settings import name_of
from lexiscope.core.contracts.trainer import Stepwise, Trainer
from lexiscope.core.corpus import Corpus, corpus, empty_corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.progress import Progress, silent
from lexiscope.data import corpora
from lexiscope.data.local_data import LocalData
from lexiscope.training.checkpoint import StepwiseTraining, checkpoint_path, remove_checkpoint
from lexiscope.training.record import Timing, command, origin, outcome, save_with_record
from lexiscope.training.spec import Training, preprocessing_from, trainer_from


def train(
    trainer: str | Path | type[Trainer] | Trainer,
    text: Any = None,
    *,
    preprocessing: Preprocessing | str = "default",
    seed: int = 0,
    name: str | None = None,
    data_dir: str | Path | None = None,
    progress: Progress | None = None,
    scheduler: str = "",
    **settings: Any,
) -> Embedding:
    """Train an embedding on a text.

    Parameters
    ----------
    trainer : str, Path, Trainer or class of Trainer
        The name of a trainer (`lexiscope trainers` lists them), the path of a Python file that
        defines one, its class, or a trainer with its hyperparameters.
    text : Corpus, str, Path, list of str, or list of list of str, optional
        A corpus, or anything that `read_corpus` takes. Retrofitting of existing vectors needs none.
    preprocessing : Preprocessing or str, default "default"
        The preprocessing of the text, or the name of a preset. It has no effect on a `Corpus`.
    seed : int, default 0
        Seed of the random generator. The same seed gives the same vectors.
    name : str, optional
        The name of the embedding; by default that of the trainer.
    data_dir : str or Path, optional
        Folder with your own copies of catalogue files.
    progress : callable, optional
        Called with a description, the amount of finished work and the total.
    scheduler : str, optional
        Address of the scheduler of a dask cluster, such as "tcp://10.0.0.1:8786", whose workers
        count contexts and train shards. The vectors are the same.
    **settings
        Hyperparameters of the trainer, such as `dimension`, `window`, `epochs` or
        `learning_rate`. Not with a trainer that has its hyperparameters.

    Returns
    -------
    Embedding
        Vectors of all words of the corpus, most frequent first, with their counts.

    Examples
    --------
    >>> import lexiscope
    >>> sentences = [["the", "cat", "drinks", "milk"], ["the", "dog", "drinks", "water"]]
    >>> corpus = lexiscope.read_corpus(sentences, min_count=1)
    >>> embedding = lexiscope.train("svd", corpus, dimension=2, window=1)
    >>> len(embedding), embedding.dimension
    (6, 2)
    >>> lexiscope.train("svd", corpus, dimensions=2)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.UnknownName: No setting of svd named 'dimensions'. Did you mean ...
    """
    if not isinstance(trainer, Trainer):
        trainer = trainer_from(trainer, settings, LocalData(data_dir))
    elif settings:
        raise BadUsage(
            "Hyperparameters can be given with the name or class of a trainer, not with a trainer."
        )
    if not trainer.needs_text or text is None:
        Training(trainer, () if text is None else (str(text),)).check(LocalData(data_dir))
        text = empty_corpus()
    elif not isinstance(text, Corpus):
        text = read_corpus(text, preprocessing, data_dir=data_dir, progress=progress)
    with connection(scheduler, 1) if scheduler else nullcontext() as client:
        given = on_cluster(text, client) if scheduler else text
        found = trainer.train(given, default_rng(seed), progress or silent)
    return found if name is None else found.named(name)


def read_corpus(
    text: Any,
    preprocessing: Preprocessing | str = "default",
    *,
    data_dir: str | Path | None = None,
    progress: Progress | None = None,
    **changes: Any,
) -> Corpus:
    """Read a text and preprocess it.

    Parameters
    ----------
    text : str, Path, list of str, or iterable of list of str
        A file, a folder, a catalogue name, "-" for standard input, or a list of these. Sentences
        that are lists of words are already tokenised: only `min_count` and `limit` apply to them.
    preprocessing : Preprocessing or str, default "default"
        The preprocessing, or the name of a preset.
    data_dir : str or Path, optional
        Folder with your own copies of catalogue files.
    progress : callable, optional
        Called with a description, the amount of finished work and the total.
    **changes
        Settings of `Preprocessing` that differ from the preset, such as `min_count=1`.

    Returns
    -------
    Corpus
        The tokens, sentences and documents, and the vocabulary sorted by frequency.

    Examples
    --------
    >>> import lexiscope
    >>> sentences = [["a", "rose", "is", "a", "rose"], ["a", "tulip", "is", "not"]]
    >>> lexiscope.read_corpus(sentences, min_count=2)
    Corpus('sentences', 7 tokens, 3 words)
    >>> from pathlib import Path
    >>> _ = Path("rose.txt").write_text("A rose is a rose. A tulip is not.")
    >>> lexiscope.read_corpus("rose.txt", min_count=1).vocabulary.words
    ('a', 'is', 'rose', 'not', 'tulip')
    """
    if isinstance(preprocessing, str):
        preprocessing = preprocessing_from(preprocessing, **changes)
    elif changes:
        raise BadUsage("Single settings can be changed with the name of a preset only.")
    if isinstance(text, str | Path):
        return corpora.read(text, preprocessing, None, progress or silent, LocalData(data_dir))
    items = list(text)
    if not items:
        raise BadUsage("A text is needed: a file, a folder, a catalogue name, or sentences.")
    if all(isinstance(item, list | tuple) for item in items):
        return corpus("sentences", items, preprocessing.min_count, preprocessing.limit)
    return corpora.read(items, preprocessing, None, progress or silent, LocalData(data_dir))


class Trained(NamedTuple):
    """An embedding, and the record with which the training can be repeated."""

    embedding: Embedding
    record: dict[str, Any]


def run_training(
    training: Training,
    local_data: LocalData,
    path: Path,
    progress: Progress = silent,
    corpus: Corpus | None = None,
    resume: bool = False,
    client: Any = None,
) -> Trained:
    """Run a training, and save the vectors and the record.

    `resume` continues from the checkpoint, which must exist. An interrupted training leaves one.
    With a dask `client`, its workers count contexts and train shards.
    """
    identity = training.identity(local_data)  # of the texts before they are read
    start = time.perf_counter()
    if corpus is None:
        corpus = training.read_corpus(local_data, progress)
    timing = Timing(reading=time.perf_counter() - start)
    if client is not None:
        corpus = on_cluster(corpus, client)
    found, timing = _trained(training, identity, corpus, path, progress, timing, resume)
    embedding = with_origin(found, training, corpus)
    record = {
        **identity,
        **outcome(training, corpus, embedding, timing),
        "command": command(training, local_data, path),
    }
    save_with_record(embedding, record, path)
    remove_checkpoint(path)
    return Trained(embedding, record)


def with_origin(found: Embedding, training: Training, corpus: Corpus) -> Embedding:
    """The trained embedding with its name, and a description of its training."""
    return replace(
        found,
        name=training.name or found.name,
        origin=origin(training, corpus),
        trainer=name_of(type(training.trainer)),
    )


def _trained(
    training: Training,
    identity: dict[str, Any],
    corpus: Corpus,
    path: Path,
    progress: Progress,
    timing: Timing,
    resume: bool,
) -> tuple[Embedding, Timing]:
    if isinstance(training.trainer, Stepwise):
        steps = StepwiseTraining(
            training, training.trainer, identity, corpus, checkpoint_path(path), timing
        )
        return (steps.resumed() if resume else steps).run(progress)
    start = time.perf_counter()
    found = training.trainer.train(corpus, default_rng(training.seed), progress)
    return found, timing._replace(training=time.perf_counter() - start)
