"""Power of a study by simulation: how many judges and query words detect a difference."""
