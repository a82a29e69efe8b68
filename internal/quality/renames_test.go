package quality

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func TestRenames(t *testing.T) {
	t.Parallel()
	const was = `def test_a():
    assert f(1) == 1

def test_old():
    x = f(2)
    assert x == 2

def test_gone():
    assert g() == 3

def test_z():
    assert h() == 4
`
	for name, c := range map[string]struct {
		now            string
		renamed        []qa.Rename
		removed, added []string
	}{
		"one of them": {strings.ReplaceAll(was, "test_old", "test_new"), []qa.Rename{{From: "t.py > test_old", To: "t.py > test_new"}}, nil, nil},
		// As many came as went, in the same place: what they say decides.
		"another test in its place": {strings.ReplaceAll(was, "def test_gone():\n    assert g() == 3", "def test_other():\n    assert True"), nil,
			[]string{"t.py > test_gone"}, []string{"t.py > test_other"}},
		"removed": {strings.ReplaceAll(was, "def test_gone():\n    assert g() == 3\n", ""), nil, []string{"t.py > test_gone"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, head := suiteOf(was), suiteOf(c.now)
			var tests qa.Tests
			Compare(&tests, qa.Suite{Cases: base}, qa.Suite{Cases: head})
			Renames(&tests, base, head, func(onHead bool, _ string) []string {
				if onHead {
					return strings.Split(c.now, "\n")
				}
				return strings.Split(was, "\n")
			})
			if diff := cmp.Diff(c.renamed, tests.Renamed); diff != "" {
				t.Error(diff)
			}
			if strings.Join(c.removed, ",") != strings.Join(tests.Removed, ",") || strings.Join(c.added, ",") != strings.Join(tests.Added, ",") {
				t.Errorf("removed %q, added %q", tests.Removed, tests.Added)
			}
		})
	}
}

// A test that is skipped under another name is gone: nothing runs it any more.
func TestASkippedTestIsNoRename(t *testing.T) {
	t.Parallel()
	base := []qa.Case{{File: "t.py", Name: "test_a", Status: qa.Passed}}
	for status, want := range map[qa.Status]int{qa.Passed: 1, qa.Failed: 1, qa.Skipped: 0} {
		head := []qa.Case{{File: "t.py", Name: "test_b", Status: status}}
		var tests qa.Tests
		Compare(&tests, qa.Suite{Cases: base}, qa.Suite{Cases: head})
		Renames(&tests, base, head, func(bool, string) []string { return []string{"def test_a(): # test_b", "    assert f()"} })
		if len(tests.Renamed) != want || len(tests.Removed) != 1-want {
			t.Errorf("%s: renamed %v, removed %v", status, tests.Renamed, tests.Removed)
		}
	}
}

// suiteOf are the tests of a Python file as pytest reports them.
func suiteOf(src string) []qa.Case {
	var out []qa.Case
	for i, l := range strings.Split(src, "\n") {
		if name, ok := strings.CutPrefix(l, "def "); ok {
			out = append(out, qa.Case{File: "t.py", Line: i + 1, Name: strings.TrimSuffix(name, "():"), Status: qa.Passed})
		}
	}
	return out
}
