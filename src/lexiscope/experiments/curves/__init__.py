"""Learning curves: scores of supervised models as a function of the training size (S4)."""
