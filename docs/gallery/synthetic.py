"""A synthetic language: which models encode a rare sense of an ambiguous word?"""

import figures

import lexiscope
from lexiscope.report.papers.synthetic import details, summary

found = lexiscope.probe("ambiguity", models=["PPMI", "SKIP", "CBOW"], sentences=4_000, trials=3)
figures.write(
    {
        "synthetic": "ambiguity",
    },
    [*summary(found), *details(found)],
)
