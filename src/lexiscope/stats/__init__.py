"""Numbers from arrays: cosine, correlation, neighbours, intervals, paired tests."""
