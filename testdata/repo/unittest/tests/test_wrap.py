import unittest

from textkit import wrap


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
