"""The contracts that tasks, metrics, trainers and probes keep, and how they are found by name."""
