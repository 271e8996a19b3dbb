"""Vector file formats: detection, readers and writers."""
