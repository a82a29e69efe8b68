"""Short texts for lists and messages."""

from __future__ import annotations

ELLIPSIS = "…"


def shorten(text: str, limit: int) -> str:
    """The text in at most limit characters, cut at a word where one ends."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    if limit <= 1:
        return ELLIPSIS[:limit]
    head = text[: limit - 1]
    if text[limit - 1] != " " and " " in head:
        head = head.rsplit(" ", 1)[0]
    return head.rstrip() + ELLIPSIS


def fits(text: str, limit: int) -> bool:
    """Whether a text may be stored in a column of limit characters."""
    return len(text) <= limit


def chunks(text: str, limit: int) -> list[str]:
    """The text in pieces of at most limit characters, for channels with a
    maximal length of messages."""
    if limit < 1:
        raise ValueError("limit must be positive")
    return [text[i : i + limit] for i in range(0, len(text), limit)]
