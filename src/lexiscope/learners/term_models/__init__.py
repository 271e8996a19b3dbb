"""Models that learn vectors of terms from few sentences, one file each."""
