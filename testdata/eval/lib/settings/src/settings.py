"""Layered settings: later layers win, nested tables are merged key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

DEFAULTS: dict[str, Any] = {
    "server": {"host": "127.0.0.1", "port": 8080},
    "log": {"level": "info", "json": False},
    "features": [],
}


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """A new table with the keys of both; tables on both sides are merged.

    It shares no table with base or over.
    """
    out: dict[str, Any] = {}
    for key in [*base, *(k for k in over if k not in base)]:
        left, right = base.get(key), over.get(key, base.get(key))
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            out[key] = merge(left, right)
        else:
            out[key] = merge(right, {}) if isinstance(right, Mapping) else right
    return out


def load(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults with all layers laid over them, first layer first."""
    out = merge(DEFAULTS, {})
    for layer in layers:
        out = merge(out, layer)
    return out


def flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys with their values: ("server.port", 8080)."""
    for key, value in table.items():
        name = f"{prefix}.{key}" if prefix else key
        if isinstance(value, Mapping):
            yield from flatten(value, name)
        else:
            yield name, value


def lookup(table: Mapping[str, Any], dotted: str, default: Any = None) -> Any:
    """The value of a dotted key, or default when any part is missing."""
    at: Any = table
    for part in dotted.split("."):
        if not isinstance(at, Mapping) or part not in at:
            return default
        at = at[part]
    return at
