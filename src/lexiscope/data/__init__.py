"""Where words and ratings come from: the catalogue, fetching, and one file a format."""
