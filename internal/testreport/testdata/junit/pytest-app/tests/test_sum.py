import unittest

import pytest


def test_adds():
    assert 1 + 2 == 3


def test_fails():
    print("printed while testing")
    assert 1 + 2 == 4, "\x1b[31mred\x1b[0m & <angle>"


@pytest.mark.skip(reason="not now")
def test_skipped():
    raise AssertionError


@pytest.mark.xfail(reason="known")
def test_expected_failure():
    assert False


@pytest.mark.xfail(strict=True)
def test_unexpected_pass():
    assert True


@pytest.fixture
def broken():
    raise RuntimeError("setup broke")


def test_setup_error(broken):
    assert True


@pytest.fixture
def leaky():
    yield
    raise RuntimeError("teardown broke")


def test_teardown_error(leaky):
    assert True


def test_fails_and_teardown_errors(leaky):
    assert False, "call failed too"


@pytest.mark.parametrize("value", [1, "a/b", "ü<&>"])
def test_param(value):
    assert value != 1


class TestGroup:
    def test_in_class(self):
        assert True


class Old(unittest.TestCase):
    def test_subtests(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)


attempts = []


@pytest.mark.flaky(reruns=2)
def test_flaky():
    attempts.append(1)
    assert len(attempts) == 2
