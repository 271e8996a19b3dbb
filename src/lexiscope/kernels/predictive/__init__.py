"""Inner loops of predictive models (word2vec and relatives)."""
