"""The nouns: embedding, vocabulary, dataset, task, measure, result. Values only, no files."""
