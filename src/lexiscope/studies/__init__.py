"""What embeddings of a made language are asked: one file per study, found by its name."""
