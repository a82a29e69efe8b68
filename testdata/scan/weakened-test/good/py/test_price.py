import pytest

from price import tax, total


@pytest.mark.parametrize("prices, sum", [([1, 2], 3), ([], 0)])
def test_total(prices, sum):
    assert total(prices) == sum


class TestTax:
    def test_tax(self):
        assert tax(10, 0.2) == pytest.approx(2.0, abs=1e-12)

    def test_tax_of_nothing(self):
        assert tax(0, 0.2) == 0


def test_no_prices():
    with pytest.raises(TypeError, match="NoneType"):
        total(None)
