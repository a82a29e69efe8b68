import pytest

from textkit import slugify


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Hello, World!", "hello-world"),
        ("Crème brûlée", "creme-brulee"),
        ("  a  b  ", "a-b"),
    ],
)
def test_slugify(text, slug):
    assert slugify(text) == slug


def test_limit_leaves_no_dash_at_the_end():
    assert slugify("one two", limit=4) == "one"


def test_nothing_left():
    with pytest.raises(ValueError, match="nothing left"):
        slugify("!!!")
