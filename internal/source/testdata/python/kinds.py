"""One of each kind of Python function."""
from __future__ import annotations

import os
import os.path as osp, json
from . import sibling as sib
from ..pkg.mod import (one, two as deux)
from typing import *


def outer(a, b: int = 1, /, *args, c, d=None, **kw) -> int:
    """Does it.

    At length.
    """
    def inner(x):
        return [i for i in x if i and not x]

    class Local:
        def method(self):
            return inner(self)

    try:
        with open(osp.join(a, "b")) as fh:
            return json.load(fh)["x"].strip()
    except (OSError, ValueError) as err:
        raise RuntimeError(f"no {a}") from err
    except Exception:
        pass
    finally:
        os.close(b)
    while a or b:
        a = b if c else d
    else:
        return deux(one)


class Base(sib.Parent, metaclass=Meta):
    limit: int = 3
    key = lambda self: self.limit

    def __init__(self):
        super().__init__()

    @property
    @cached(maxsize=None)
    def size(self): return 1

    async def fetch(self, n):
        async for x in self.pages(n):
            if x == 1:
                yield x
            elif x == 2:
                await x.close()

    def _hidden(self):
        match self.limit:
            case 1 | 2:
                return 1
            case Point(x=0) if self.size:
                return 2
            case _:
                return 3


square = lambda n: n * n

if __name__ == "__main__":
    outer(1)
