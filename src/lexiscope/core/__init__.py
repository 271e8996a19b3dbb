"""The nouns: embedding, vocabulary, dataset, task, metric, result. Values only, no files."""
