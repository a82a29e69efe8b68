import pytest

from excerpt import chunks, fits, shorten


def test_shorten():
    assert shorten("one two three", 9) == "one two…"
    assert shorten("one  two", 20) == "one two"
    assert shorten("abcdefgh", 4) == "abc…"


def test_fits():
    assert fits("abc", 3)
    assert not fits("abcd", 3)


def test_chunks():
    assert chunks("abcde", 2) == ["ab", "cd", "e"]
    with pytest.raises(ValueError):
        chunks("a", 0)
