import pytest

from timeouts import DurationError, format_seconds, remaining, seconds


@pytest.mark.parametrize(
    "text, want", [("90", 90), ("1h30m", 5400), ("2 days", 172800), ("1.5 min", 90), ("10 seconds", 10)]
)
def test_seconds(text, want):
    assert seconds(text) == want


def test_refuses_other_text():
    with pytest.raises(DurationError):
        seconds("soon")


def test_format():
    assert format_seconds(5400) == "1h30m"
    assert format_seconds(0) == "0s"


def test_remaining():
    assert remaining(10, 4) == 6
    assert remaining(4, 10) == 0
