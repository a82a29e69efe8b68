import unittest
class T(unittest.TestCase):
    def test_m(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)
    def test_n(self):
        for i in range(3):
            with self.subTest("msg", i=i):
                self.assertTrue(i != 1)
        self.fail("at end")
    def test_ok(self):
        for i in range(3):
            with self.subTest("msg", i=i):
                pass
def test_f(subtests):
    for i in range(3):
        with subtests.test(i=i):
            assert i == 0
    assert False
