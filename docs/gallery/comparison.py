"""Three generated embeddings on four generated datasets, and the report on them."""

from pathlib import Path

import figures

import lexiscope
from lexiscope.cli.demo_data import analogies, categories, embedding, pairs, synonym_questions
from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.sections import sections

whole = embedding(0)
results = lexiscope.run(
    {"full": whole, "shorter": whole.first(1000), "noisy": embedding(0, noise=1.5)},
    datasets=[pairs(0), analogies(0), synonym_questions(0), categories(0)],
    by=["frequency"],
)
lexiscope.write_report(results, Path(figures.GALLERY) / "pages" / "report.html")
(figures.FIGURES / "verdict.txt").write_text("\n".join(recommendation_sentences(results)), "utf-8")
figures.write(
    {
        "scores-similarity": "similarity",
        "scores-analogy": "analogy",
        "by-frequency": "similarity on generated-pairs, by attribute",
    },
    sections(results),
)
