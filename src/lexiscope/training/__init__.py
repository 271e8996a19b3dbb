"""Training of embeddings: specification, training, record and checkpoint."""
