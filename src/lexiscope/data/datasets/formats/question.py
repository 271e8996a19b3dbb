"""A synonym question of a file, in any format."""

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData


def check_question(where: str, query: str, options: list[str], answer: str) -> tuple[str, ...]:
    """Return a question as a row; the options must differ and include the answer."""
    if len(set(options)) != 4:
        raise BadData(f"{where}: the four options are not different words.")
    if answer not in options:
        raise BadData(f"{where}: the answer '{shown(answer, 40)}' is not one of the options.")
    if query in options:
        raise BadData(f"{where}: '{shown(query, 40)}' is the query and an option too.")
    return (query, *options, answer)
