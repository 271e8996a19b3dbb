"""Scores of human studies: win ratios, intrusion precision, tests, agreement and quality."""
