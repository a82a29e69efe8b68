import pytest

from tally import TallyError, errors, levels


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "a.log"
    path.write_text("d INFO a\nd ERROR b\n  more\nd INFO c\n")
    return str(path)


def test_levels(log):
    assert levels(log) == {"INFO": 2, "ERROR": 1}


def test_errors(log):
    assert list(errors(log)) == ["d ERROR b"]


def test_refuses_other_files(tmp_path):
    path = tmp_path / "b.txt"
    path.write_text("hello\n")
    with pytest.raises(TallyError):
        levels(str(path))


def test_empty(tmp_path):
    path = tmp_path / "c.log"
    path.write_text("")
    assert levels(str(path)) == {}
