"""Counts of lines in log files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TextIO

Open = Callable[[str], TextIO]


class TallyError(Exception):
    """A file that is no log."""


def _level(line: str) -> str:
    """The level of a line such as "2026-01-01 ERROR text"."""
    parts = line.split(maxsplit=2)
    return parts[1] if len(parts) > 1 and parts[1].isupper() else ""


def levels(path: str, opener: Open = open) -> Counter[str]:
    """How many lines of each level a file has; the first line must have one."""
    with opener(path) as file:
        first = file.readline()
        if first and not _level(first):
            raise TallyError(f"{path} does not begin like a log")
        counts = Counter([_level(first)])
        counts.update(_level(line) for line in file)
    del counts[""]
    return counts


def errors(path: str, opener: Open = open) -> Iterator[str]:
    """The error lines of a file, without their line feeds."""
    with opener(path) as file:
        for line in file:
            if _level(line) == "ERROR":
                yield line.rstrip("\n")
