import pytest

from price import tax, total


def test_total():
    assert total([1, 2]) == 3
    assert total([]) == 0


def test_tax():
    assert tax(10, 0.2) == pytest.approx(2.0, abs=1e-9)


def test_no_prices():
    with pytest.raises(TypeError):
        total(None)


def test_tax_of_nothing():
    assert tax(0, 0.2) == 0
