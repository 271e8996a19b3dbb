"""Files of gensim (.kv, .model): pickles, whose opcodes are interpreted without running code."""
