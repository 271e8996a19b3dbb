"""Label the dimensions of an embedding."""

from typing import TYPE_CHECKING

import click

from lexiscope.cli import options
from lexiscope.cli.paragraphs import print_paragraph

if TYPE_CHECKING:
    from lexiscope.data.vectors import OnError
    from lexiscope.evaluation.analysis.dimension_labels import DimensionLabels


@click.command()
@click.argument("file")
@click.option(
    "--dataset",
    required=True,
    metavar="NAME-OR-PATH",
    help="Words and their properties, such as wordnet-supersenses.",
)
@click.option(
    "-n",
    "--number",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="How many words to list for each dimension.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N words.")
@click.option(
    "--rotations",
    type=click.IntRange(0, 1_000_000),
    default=0,
    show_default=True,
    help="Compare the score with this many random rotations.",
)
@options.seed
@options.offline
@options.data_dir
@options.on_error
@options.as_json
def command(
    file: str,
    dataset: str,
    number: int,
    limit: int | None,
    rotations: int,
    seed: int,
    data_dir: str | None,
    on_error: "OnError",
    as_json: bool,
) -> None:
    """Label each dimension of FILE with the property that correlates best with it.

    The words with the highest values are those of the whole vocabulary.
    """
    from lexiscope.cli.download import fetch_named
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.core.datasets import Properties
    from lexiscope.data.local_data import LocalData
    from lexiscope.data.vectors.resolve import Reading, embeddings_from
    from lexiscope.evaluation.analysis.dimension_labels import label_dimensions
    from lexiscope.evaluation.resolve import resolve_datasets

    fetch_named([file, dataset], data_dir)
    local_data = LocalData(data_dir)
    (items,) = resolve_datasets([dataset], [Properties], local_data)
    assert isinstance(items, Properties)
    (embedding,) = embeddings_from([file], reading=Reading(limit, on_error, local_data))
    report_repairs(embedding.name, embedding.repairs)
    found = label_dimensions(embedding, items, number=number, rotations=rotations, seed=seed)
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)


def _print(found: "DimensionLabels") -> None:
    from lexiscope.core.display import shown

    for label in sorted(found.labels, key=lambda label: -label.correlation):
        words = ", ".join(shown(word) for word in label.words)
        name = shown(label.property) or "–"
        print_paragraph(words, f"{label.dimension:>5}  {label.correlation:6.3f}  {name:<24}  ")
    print_paragraph(
        f"QVEC {found.score:.3f} over {found.words:,} of {found.total:,} words of "
        f"{shown(found.dataset)}. A rotation gives other dimensions and changes no cosine."
    )
    if found.rotated is not None:
        print_paragraph(
            f"{found.rotations:,} random rotations score {found.rotated:.3f} on average (5 % below "
            f"{found.low:.3f}, 5 % above {found.high:.3f}); as high as these vectors: "
            f"p = {found.p:.4f}."
        )
