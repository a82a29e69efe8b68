import unittest
from pathlib import Path

from textkit import wrap
from textkit.wrap import longest


class WrapTest(unittest.TestCase):
    def test_short_text_is_one_line(self):
        self.assertEqual(wrap("a b", 10), ["a b"])

    def test_breaks_between_words(self):
        self.assertEqual(wrap("one two three", 7), ["one two", "three"])

    def test_empty_text_has_no_lines(self):
        self.assertEqual(wrap("", 5), [])

    def test_width_is_positive(self):
        with self.assertRaises(ValueError):
            wrap("a", 0)

    def test_longest(self):
        self.assertEqual(longest(["a", "abc"]), 3)

    def test_warm_on_the_second_run(self):
        state = Path(".git/flaky-state")
        warm = state.exists()
        state.touch()
        self.assertTrue(warm)
