"""Draws the figures of the site: each script of this folder writes some into `pages/figures`."""

import os
import runpy
import sys
from pathlib import Path

GALLERY = Path(__file__).parent
FIGURES = GALLERY / "figures"
SCRIPTS = sorted(path for path in GALLERY.glob("*.py") if path != Path(__file__))


def draw_missing() -> None:
    """Run the scripts whose figures are not drawn yet. They use generated data and no network."""
    os.environ["LEXISCOPE_OFFLINE"] = "1"
    FIGURES.mkdir(exist_ok=True)
    for script in SCRIPTS:
        done = FIGURES / f"{script.stem}.done"
        if not done.exists() or done.stat().st_mtime < script.stat().st_mtime:
            print(f"drawing {script.stem}...", file=sys.stderr)
            runpy.run_path(str(script), run_name="__main__")
            done.touch()


def write(figures: dict[str, str], sections: list) -> None:
    """Write some figures of a report as SVG: file name and title of the figure."""
    from lexiscope.report.exports.figures import drawn
    from lexiscope.report.layout import Figure

    found = {p.title: p for s in sections for p in s.parts if isinstance(p, Figure)}
    for name, title in figures.items():
        if title not in found:
            raise SystemExit(f"No figure '{title}'. Available: {', '.join(map(repr, found))}.")
        (FIGURES / f"{name}.svg").write_bytes(drawn(found[title], ".svg"))
