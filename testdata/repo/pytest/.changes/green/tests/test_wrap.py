import pytest

from textkit import wrap
from textkit.wrap import indent


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


def test_indent_every_line():
    assert indent(["a", "b"], "  ") == ["  a", "  b"]


def test_indent_with_a_bullet():
    assert indent(["a", "b"], "  ", first="- ") == ["- a", "  b"]


def test_indent_of_nothing():
    assert indent([], "  ") == []
