"""Human judgments: items of the intrusion task."""
