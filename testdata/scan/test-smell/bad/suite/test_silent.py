from cart import total


def quiet(items):
    return total(items)


def test_assert_total():
    quiet([1])
