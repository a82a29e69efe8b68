from cart import total


def roundtrip(items):
    if total(items) != sum(items):
        raise AssertionError(items)
