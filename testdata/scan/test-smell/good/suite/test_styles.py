import unittest
import warnings
from unittest import mock

import numpy.testing as npt
import pytest
from hamcrest import assert_that, equal_to
from hypothesis import given, strategies as st
from nose.tools import eq_

from cart import load, total
from suite.helpers import roundtrip


def common(items):
    assert total(items) == sum(items)


def through(items):
    common(items)


@pytest.fixture
def test_items():
    return total([1])


def test_helper_of_the_file():
    common([1])


def test_helper_of_a_helper():
    through([1])


def test_helper_of_another_file():
    roundtrip([1])


def test_fixture_of_the_directory(strict_cart):
    strict_cart.load()


def test_raises():
    with pytest.raises(TypeError):
        total(1)


def test_quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        total([1])


def test_words():
    assert_that(total([1]), equal_to(1))


def test_names_of_modules():
    eq_(total([1]), 1)


def test_numbers():
    npt.assert_allclose(total([1]), 1)


def test_mock():
    with mock.patch("cart.load") as m:
        load()
    m.assert_called_once()


@given(st.lists(st.integers()))
def test_property(items):
    total(items)


class CartTest(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(total([1]), 1)

    def test_own(self):
        self.adds([1])

    def adds(self, items):
        self.assertEqual(total(items), 1)
