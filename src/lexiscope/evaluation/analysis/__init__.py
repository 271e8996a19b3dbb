"""Analyses of the scores and predictions of a run."""
