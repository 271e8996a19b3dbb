"""Data: the catalogue, downloads, and readers, one module per format."""
