"""Linear-chain conditional random fields: training epochs, and the best tags of sentences."""
