"""The shape of an embedding space: isotropy, dimension, hubness, and similarity of two spaces.

All functions take arrays. Those of vectors (n, d) read them in chunks and compute in double
precision, so that the memory they need does not depend on n. What has no value, such as the cosine
of a single vector, raises `Undefined`.
"""

from lexiscope.metrics.geometry.hubness import anti_hubs, hub_share, hubness, k_occurrence
from lexiscope.metrics.geometry.isotropy import mean_cosine, partition_ratio
from lexiscope.metrics.geometry.similarity import (
    linear_cka,
    neighbour_jaccard,
    neighbour_jaccards,
)
from lexiscope.metrics.geometry.spectrum import (
    Spectrum,
    effective_dimension,
    isoscore,
    spectrum,
    variance_dimension,
)

__all__ = [
    "Spectrum",
    "anti_hubs",
    "effective_dimension",
    "hub_share",
    "hubness",
    "isoscore",
    "k_occurrence",
    "linear_cka",
    "mean_cosine",
    "neighbour_jaccard",
    "neighbour_jaccards",
    "partition_ratio",
    "spectrum",
    "variance_dimension",
]
