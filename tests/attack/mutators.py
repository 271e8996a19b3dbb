"""Seeded mutations of the bytes of a file."""

SPLICES = [
    b"", b"\0", b"\n", b" ", b"\t", b"\r\n", b"nan", b"1e999", b"-1", b"99999999999", b"\xff\xfe",
    b"\x80\x04", b"PK\x03\x04", b"PK\x05\x06", b"{", b"}", b"'", b"(", b"L", b"\\", b'"', b"[",
    b"\xed\xa0\x80", b"\xc3", b"4 3\n", b" 1 2 3", b"\x93NUMPY", b"\n\n\n\n",
]  # fmt: skip


def flip(content, rng):
    for index in rng.integers(len(content), size=rng.integers(1, 4)):
        content[index] ^= 1 << rng.integers(8)


def overwrite(content, rng):
    content[rng.integers(len(content))] = rng.integers(256)


def cut(content, rng):
    del content[rng.integers(len(content)) :]


def remove(content, rng):
    start = rng.integers(len(content))
    del content[start : start + rng.integers(1, 20)]


def splice(content, rng):
    start = rng.integers(len(content))
    content[start : start + rng.integers(3)] = SPLICES[rng.integers(len(SPLICES))]


def splice_early(content, rng):
    start = rng.integers(min(len(content), 12))
    content[start : start + rng.integers(3)] = SPLICES[rng.integers(len(SPLICES))]


def repeat(content, rng):
    start, index = rng.integers(len(content), size=2)
    content[index:index] = content[start : start + rng.integers(1, 40)]


def number(content, rng):
    digits = [index for index, byte in enumerate(content) if 48 <= byte <= 57]
    if digits:
        content[rng.choice(digits)] = rng.integers(48, 58)


MUTATIONS = (flip, overwrite, cut, remove, splice, splice_early, repeat, number)


def mutated(content, rng):
    """The content after one or two mutations."""
    changed = bytearray(content)
    for _ in range(rng.integers(1, 3)):
        if changed:
            MUTATIONS[rng.integers(len(MUTATIONS))](changed, rng)
    return bytes(changed)


HOSTILE_VALUES = (
    None, -1, 0, 1, 999, (1 << 63) - 1, -(1 << 63), 9e999, -9e999, 1e308, 0.5, "", "x", "[", "{}",
    "[1]", "null", "3", '"x"', "[" * 2000, '{"a": 1}', '{"x": [[]]}', "\ud7ff\u202e\x1b[2J\0", b"",
    b"\0", b"\xff\xfe", b"i", b"f", b"i" + bytes(9), "9" * 5000,
)  # fmt: skip


def with_changed_rows(database, rng):
    """Change a few values of a SQLite database, or delete or repeat rows."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    tables = [name for (name,) in database.execute(query)]
    filled = [
        name for name in tables if database.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()
    ]
    for _ in range(rng.integers(1, 4)):
        table = filled[rng.integers(len(filled))]
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        _change_row(database, table, columns[rng.integers(len(columns))], columns[0], rng)


def _change_row(database, table, column, key, rng):
    rows = database.execute(f"SELECT {key}, {column} FROM {table}").fetchall()
    if not rows:
        return
    identity, value = rows[rng.integers(len(rows))]
    if rng.random() < 0.1:
        database.execute(f"DELETE FROM {table} WHERE {key} IS ?", (identity,))
        return
    where = f"WHERE {key} IS ? AND {column} IS ?"
    try:
        database.execute(
            f"UPDATE OR IGNORE {table} SET {column} = ? {where}",
            (_hostile(value, rng), identity, value),
        )
    except (database.Error, OverflowError, UnicodeError):
        return  # the table accepts no such value


def _hostile(value, rng):
    """A changed value of the same type, or one of a list."""
    if isinstance(value, str | bytes) and value and rng.random() < 0.6:
        raw = value if isinstance(value, bytes) else value.encode()
        changed = mutated(raw, rng)
        return changed if isinstance(value, bytes) else changed.decode("utf-8", "replace")
    if isinstance(value, int | float) and rng.random() < 0.4:
        return value + int(rng.integers(-3, 4))
    return HOSTILE_VALUES[rng.integers(len(HOSTILE_VALUES))]
