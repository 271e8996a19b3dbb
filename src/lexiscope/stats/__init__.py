"""Statistical inference: confidence intervals, paired tests, corrections, rank aggregation."""
