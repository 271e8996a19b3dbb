"""How the variance of vectors is distributed over directions: IsoScore and effective dimension."""

from dataclasses import dataclass

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.linalg.covariance import Table, covariance, principal_axes

_ROUNDING = 1e-12  # of cumulative proportions of variance


@dataclass(frozen=True)
class Spectrum:
    """The variances of vectors along their principal axes, descending; at least one is not 0.

    Examples
    --------
    >>> found = Spectrum(np.array([2.0, 1.0, 1.0]))
    >>> round(found.effective_dimension, 3), round(found.isoscore, 3), found.components(0.9)
    (2.667, 0.833, 3)
    """

    variances: Floats

    @property
    def effective_dimension(self) -> float:
        """The participation ratio, (sum of variances)^2 / sum of squared variances; 1 to d."""
        shares = self.variances / self.variances.max()
        return float(shares.sum() ** 2 / (shares**2).sum())

    @property
    def isoscore(self) -> float:
        """IsoScore, from 0 (one direction has all the variance) to 1 (all have the same)."""
        dimension = len(self.variances)
        if dimension < 2:
            raise Undefined("IsoScore needs vectors of two dimensions or more")
        return float(np.clip((self.effective_dimension - 1) / (dimension - 1), 0, 1))

    def components(self, proportion: float = 0.9) -> int:
        """The number of principal components that have this proportion of the variance."""
        if not 0 < proportion <= 1:
            raise BadUsage(f"A proportion of variance is above 0 and at most 1, not {proportion}.")
        cumulative = np.cumsum(self.variances) / self.variances.sum()
        return int(np.searchsorted(cumulative, proportion - _ROUNDING)) + 1


def spectrum(vectors: Table) -> Spectrum:
    """Compute the variances along the principal axes.

    Parameters
    ----------
    vectors : array of shape (n, d)

    Returns
    -------
    Spectrum
        The eigenvalues of the covariance matrix. All metrics of this module are functions of it.

    Examples
    --------
    >>> spectrum(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]])).variances.tolist()
    [2.0, 0.5]
    """
    if len(vectors) < 2:
        raise Undefined("a variance needs two vectors or more")
    variances, _ = principal_axes(covariance(vectors))
    if variances[0] == 0:
        raise Undefined("all vectors are equal, so they have no variance")
    return Spectrum(variances)


def isoscore(vectors: Table) -> float:
    """Compute IsoScore (Rudman, Gillman, Rayne and Eickhoff 2022, algorithm 1).

    The paper reorients the vectors by PCA, takes the diagonal v of their covariance matrix, scales
    it to the length sqrt(d), and computes its distance from the vector of ones, the isotropy
    defect delta = |v - 1| / sqrt(2 (d - sqrt d)), and
    IsoScore = ((d - delta^2 (d - sqrt d))^2 - d) / (d (d - 1)). As |v|^2 = d, the inner
    parentheses equal the sum of v, and the score is (D - 1) / (d - 1), where D is the effective
    dimension: the two metrics contain the same information. This form is computed.

    Parameters
    ----------
    vectors : array of shape (n, d), d at least 2

    Returns
    -------
    float
        From 0 (all variance in one direction) to 1 (the same variance in all directions).

    Examples
    --------
    >>> isoscore(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]]))  # 25 / 17 - 1
    0.47058823529411775
    """
    return spectrum(vectors).isoscore


def effective_dimension(vectors: Table) -> float:
    """Compute the participation ratio of the variances along the principal axes.

    With eigenvalues l of the covariance matrix it is (sum l)^2 / sum l^2: k if k directions have
    the same variance and the others none (Gao et al. 2017).

    Parameters
    ----------
    vectors : array of shape (n, d)

    Returns
    -------
    float
        From 1 to d.

    Examples
    --------
    >>> effective_dimension(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]]))  # 25 / 17
    1.4705882352941178
    """
    return spectrum(vectors).effective_dimension


def variance_dimension(vectors: Table, proportion: float = 0.9) -> int:
    """Compute how many principal components have at least this proportion of the variance.

    Parameters
    ----------
    vectors : array of shape (n, d)
    proportion : float, default 0.9

    Returns
    -------
    int
        From 1 to d.

    Examples
    --------
    >>> variance_dimension(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]]), 0.8)
    1
    """
    return spectrum(vectors).components(proportion)
