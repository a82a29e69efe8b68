import pytest

from price import tax, total


def test_total():
    assert total([1, 2]) == 3


def test_tax():
    assert tax(10, 0.2) == pytest.approx(2.0, abs=1.5)


def test_no_prices():
    with pytest.raises(Exception):
        total(None)
