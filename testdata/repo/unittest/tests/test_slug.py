import unittest

from textkit import slugify


class SlugTest(unittest.TestCase):
    def test_slugify(self):
        for text, slug in [("Hello, World!", "hello-world"), ("Crème brûlée", "creme-brulee"), ("  a  b  ", "a-b")]:
            with self.subTest(text):
                self.assertEqual(slugify(text), slug)

    def test_limit_leaves_no_dash_at_the_end(self):
        self.assertEqual(slugify("one two", limit=4), "one")

    def test_nothing_left(self):
        with self.assertRaisesRegex(ValueError, "nothing left"):
            slugify("!!!")
