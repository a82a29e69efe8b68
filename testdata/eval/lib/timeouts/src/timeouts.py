"""Durations as people write them: "1h30m", "250ms", "2 days"."""

from __future__ import annotations

import re

_UNITS = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
    "d": 86400.0,
}
_WORDS = {"sec": "s", "second": "s", "min": "m", "minute": "m", "hour": "h", "day": "d"}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.IGNORECASE)


class DurationError(ValueError):
    """A text that is no duration."""


def _unit(word: str) -> float:
    word = word.lower()
    if word in _UNITS:
        return _UNITS[word]
    word = _WORDS.get(word.removesuffix("s"), "")
    if not word:
        raise DurationError("unknown unit")
    return _UNITS[word]


def seconds(text: str) -> float:
    """The duration in seconds; a bare number is seconds already."""
    try:
        return float(text)
    except ValueError:
        pass
    total, at = 0.0, 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            raise DurationError(f"{text!r} is no duration")
        total += float(match[1]) * _unit(match[2])
        at = match.end()
    return total


def format_seconds(value: float) -> str:
    """The shortest exact text down to milliseconds: 5400 is "1h30m"."""
    left = round(value * 1000)
    if left == 0:
        return "0s"
    out = ""
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)):
        count, left = divmod(left, size)
        if count:
            out += f"{count}{unit}"
    return out


def remaining(deadline: float, now: float) -> float:
    """Seconds until deadline, never negative; both are monotonic seconds."""
    return max(0.0, deadline - now)
