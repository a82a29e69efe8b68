import pytest

from cart import Cart


@pytest.fixture
def strict_cart():
    cart = Cart()
    yield cart
    assert cart.empty()
