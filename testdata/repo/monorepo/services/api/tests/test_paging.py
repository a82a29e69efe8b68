import pytest

from api.paging import page


def test_second_page():
    assert page(list(range(5)), 2, size=2) == [2, 3]


def test_beyond_the_end():
    assert page([1], 2) == []


@pytest.mark.parametrize(("number", "size"), [(0, 1), (1, 0)])
def test_numbers_start_at_one(number, size):
    with pytest.raises(ValueError):
        page([], number, size)
