"""Rankings of players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Player:
    name: str
    points: int
    games: int

    @property
    def average(self) -> float:
        """Points per game; 0 without games."""
        return self.points / self.games if self.games else 0.0


def rank(players: Iterable[Player]) -> list[Player]:
    """Most points first; with equal points fewer games first, then by name."""
    return sorted(players, key=lambda p: (-p.points, p.games, p.name))


def places(players: Iterable[Player]) -> dict[str, int]:
    """The place of each player by name; equal points share a place."""
    out: dict[str, int] = {}
    place, last = 0, None
    for index, player in enumerate(rank(players), start=1):
        if player.points != last:
            place, last = index, player.points
        out[player.name] = place
    return out


def top(players: Iterable[Player], count: int) -> list[str]:
    """The names of the first count players."""
    return [p.name for p in rank(players)[: max(0, count)]]
