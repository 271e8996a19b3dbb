"""Published papers as data: what each did and printed, and how our results compare."""
