import sys

import pytest

from cart import total


@pytest.mark.skipif(sys.platform == "win32", reason="no such file there")
def test_negative():
    assert total([-1]) == -1


def test_raises():
    with pytest.raises(ValueError):
        total(None)
