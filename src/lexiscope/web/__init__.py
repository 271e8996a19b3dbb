"""Web pages of human studies."""
