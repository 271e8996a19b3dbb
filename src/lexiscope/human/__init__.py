"""Human studies: items, assignment, judgments, scoring, and files for other platforms."""
