"""Calls that may fail for a while: repeated with growing pauses."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


class Temporary(Exception):
    """Raised by a call that may succeed later."""


@dataclass
class Policy:
    """How often and with which pauses a call is repeated."""

    attempts: int = 3
    pause: float = 0.5  # seconds before the second attempt
    factor: float = 2.0
    limit: float = 30.0  # longest pause in seconds
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def pauses(self) -> list[float]:
        """The pauses between the attempts, in seconds."""
        pauses, pause = [], self.pause
        for _ in range(self.attempts - 1):
            pauses.append(min(self.limit, pause))
            pause *= self.factor
        return pauses


def call(policy: Policy, action: Callable[[], T]) -> T:
    """The result of action, repeated while it raises Temporary.

    The last error is raised when all attempts are used up; any other
    exception is raised at once.
    """
    pauses = policy.pauses()
    for pause in pauses:
        try:
            return action()
        except Temporary:
            policy.sleep(pause)
    return action()


def gather(policy: Policy, actions: list[Callable[[], T]]) -> list[T]:
    """The results of all actions, in order; the first error ends it."""
    return [call(policy, action) for action in actions]
