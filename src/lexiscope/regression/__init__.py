"""Is a new embedding significantly worse than a baseline? For continuous integration."""
