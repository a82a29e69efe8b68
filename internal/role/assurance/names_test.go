package assurance

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestNames: a test of a class of Python is one of each class that is derived from it in
// the file, so that one in a mixin is found where it ran.
func TestNames(t *testing.T) {
	t.Parallel()
	const src = "class Kinds(Base):\n    def test_a(self):\n        pass\n\nclass Deep(Plain, Kinds):\n    pass\n\nclass TestTwo(Deep):\n    pass\n\nclass Other(Base):\n    def test_a(self):\n        pass\n\nclass Round(Ring):\n    def test_a(self):\n        pass\n\nclass Ring(Round):\n    pass\n"
	if got := strings.Join(names("tests/test_a.py", []byte(src)), " "); got != "Kinds.test_a" {
		t.Errorf("tests of the file: %s, want that of the mixin alone", got)
	}
	for name, want := range map[string]string{
		"Kinds.test_a": "Kinds.test_a Deep.test_a TestTwo.test_a",
		"Deep.test_a":  "Deep.test_a TestTwo.test_a",
		"test_a":       "test_a",
		"Other.test_a": "Other.test_a",
	} {
		if got := strings.Join(Names("tests/test_a.py", []byte(src), name), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := Names("a.test.js", nil, "Kinds.a"); !slices.Equal(got, []string{"Kinds.a"}) {
		t.Errorf("of a script: %q", got)
	}
	k := qa.Case{File: "tests/test_a.py", Suite: "tests.test_a.TestTwo", Name: "test_a"}
	if names := Names("tests/test_a.py", []byte(src), "Kinds.test_a"); !Matches(k, "tests/test_a.py", names...) || Matches(k, "tests/test_a.py", "Kinds.test_a") {
		t.Error("the case of a derived class is not found by its names alone")
	}
}
