from ranking import Player, places, rank, top

ANN, BOB, CID = Player("ann", 10, 4), Player("bob", 30, 5), Player("cid", 20, 2)


def test_rank_by_points():
    assert rank([ANN, BOB, CID]) == [BOB, CID, ANN]


def test_names_break_ties():
    assert [p.name for p in rank([Player("b", 1, 1), Player("a", 1, 1)])] == ["a", "b"]


def test_places_are_shared():
    assert places([ANN, BOB, Player("dan", 10, 4)]) == {"bob": 1, "ann": 2, "dan": 2}


def test_top():
    assert top([ANN, BOB, CID], 2) == ["bob", "cid"]
