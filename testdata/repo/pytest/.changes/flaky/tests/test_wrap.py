from pathlib import Path

import pytest

from textkit import wrap
from textkit.wrap import longest


class TestWrap:
    def test_short_text_is_one_line(self):
        assert wrap("a b", 10) == ["a b"]

    def test_breaks_between_words(self):
        assert wrap("one two three", 7) == ["one two", "three"]

    def test_empty_text_has_no_lines(self):
        assert wrap("", 5) == []

    def test_width_is_positive(self):
        with pytest.raises(ValueError):
            wrap("a", 0)


def test_longest():
    assert longest(["a", "abc"]) == 3


def test_warm_on_the_second_run():
    state = Path(".git/flaky-state")
    warm = state.exists()
    state.touch()
    assert warm
