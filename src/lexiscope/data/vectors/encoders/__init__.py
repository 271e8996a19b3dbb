"""Embeddings from encoders: objects that map text to vectors."""
