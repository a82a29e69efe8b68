def test_same():
    assert (same("text"), "must be the same")
