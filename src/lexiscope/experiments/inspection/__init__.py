"""What an embedding encodes besides meaning: word frequency, and the shape of its space."""
