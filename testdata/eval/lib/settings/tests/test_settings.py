from settings import flatten, load, lookup, merge


def test_merge_nested():
    assert merge({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}, "b": 4}) == {"a": {"x": 1, "y": 3}, "b": 4}


def test_load_lays_over_defaults():
    assert load({"server": {"port": 9000}})["server"] == {"host": "127.0.0.1", "port": 9000}


def test_flatten():
    assert dict(flatten({"a": {"b": 1}, "c": 2})) == {"a.b": 1, "c": 2}


def test_lookup():
    assert lookup({"a": {"b": 1}}, "a.b") == 1
    assert lookup({"a": 1}, "a.b", "none") == "none"
