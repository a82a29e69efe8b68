import time

import pytest

from cart import total


@pytest.mark.skip
def test_negative():
    assert total([-1]) == -1


def test_runs():
    total([1, 2])


def test_slow():
    time.sleep(2)
    assert total([]) == 0
