import pytest

from api.paging import page, pages


def test_second_page():
    assert page(list(range(5)), 2, size=2) == [2, 3]


def test_beyond_the_end():
    assert page([1], 2) == []


@pytest.mark.parametrize(("number", "size"), [(0, 1), (1, 0)])
def test_numbers_start_at_one(number, size):
    with pytest.raises(ValueError):
        page([], number, size)


def test_pages_round_up():
    assert [pages(0), pages(20), pages(21)] == [0, 1, 2]


def test_pages_need_a_size():
    with pytest.raises(ValueError):
        pages(1, 0)
