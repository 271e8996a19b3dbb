"""Linear algebra on matrices of vectors: products, decompositions, search."""
