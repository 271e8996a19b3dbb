"""Statistics of learning curves: pure functions on arrays of scores."""
