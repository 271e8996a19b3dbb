"""Many trainings and evaluations: experiment files, synthetic corpora, correlations."""
