import pytest

from retrying import Policy, Temporary, call, gather


def failing(times, result):
    state = {"left": times}

    def action():
        if state["left"]:
            state["left"] -= 1
            raise Temporary("later")
        return result

    return action


def test_pauses_grow():
    assert Policy(attempts=4, pause=1, limit=3).pauses() == [1, 2, 3]


def test_repeats():
    slept = []
    assert call(Policy(sleep=slept.append), failing(2, "ok")) == "ok"
    assert slept == [0.5, 1.0]


def test_other_errors_are_raised_at_once():
    def action():
        raise KeyError("x")

    with pytest.raises(KeyError):
        call(Policy(sleep=lambda s: None), action)


def test_gather():
    assert gather(Policy(sleep=lambda s: None), [failing(0, 1), failing(1, 2)]) == [1, 2]
