import unittest

import pytest

from kinds import outer


@pytest.fixture
def box():
    return []


@pytest.mark.parametrize("n", [1, 2])
def test_outer(n, box):
    def test_not():
        pass
    assert outer(n) == 1


class TestBase:
    def test_size(self):
        assert True

    def helper(self):
        pass


class Cases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, 1)


class Other:
    def test_other(self):
        pass
