def page(items, number, size=20):
    """Give page number (from 1) of items."""
    if number < 1 or size < 1:
        raise ValueError("number and size start at 1")
    start = (number - 1) * size
    return items[start : start + size]
