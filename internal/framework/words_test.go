package framework

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// quoted is read back by our own splitter, which knows quotes as a shell does.
func TestQuotedIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "words")
		commands := words(quoted(in))
		if len(commands) != 1 || !slices.Equal(commands[0], in) {
			t.Fatalf("%q became %q, read back as %q", in, quoted(in), commands)
		}
	})
}

func TestTitlesMatchTheirTestOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.StringMatching(`[ -~]{1,12}`)
		tests := []Selected{{Suite: title.Draw(t, "suite"), Name: title.Draw(t, "name")}, {Suite: "a > b", Name: "c (2)"}}
		pattern, err := regexp.Compile(titles(tests))
		if err != nil {
			t.Fatal(err)
		}
		for _, full := range []string{tests[0].Suite + " " + tests[0].Name, " " + tests[0].Suite + " " + tests[0].Name, "a b c", "a > b > c (2)", "a b c (2)"} {
			if strings.Contains(tests[0].Suite, ">") {
				continue
			}
			if !pattern.MatchString(full) {
				t.Fatalf("%s does not match %q", pattern, full)
			}
		}
		if other := "another " + tests[0].Name; pattern.MatchString(other + " more") {
			t.Fatalf("%s matches %q", pattern, other)
		}
	})
}

func TestRunPattern(t *testing.T) {
	t.Parallel()
	got := runPattern([]Selected{{Name: "TestA/before_(a/b)"}, {Name: "TestB"}, {Name: "TestB"}})
	if want := `^TestA$/^before_\(a$/^b\)$|^TestB$`; got != want {
		t.Errorf("runPattern = %s, want %s", got, want)
	}
	if got := runPattern([]Selected{{Name: "TestA"}, {Suite: "example.com/x"}}); got != "" {
		t.Errorf("a whole package is limited to %s", got)
	}
}

func TestNodeIDs(t *testing.T) {
	t.Parallel()
	d := Detection{Dir: "svc"}
	got := nodes(d, []Selected{
		{File: "svc/tests/test_a.py", Suite: "tests.test_a", Name: "test_x[a/b]"},
		{File: "svc/tests/test_a.py", Suite: "tests.test_a.TestB.TestC", Name: "test_y"},
		{File: "svc/tests/base.py", Suite: "tests.test_c.TestD", Name: "test_inherited"},
		{File: "svc/tests/test_e.py"},
		{File: "svc/tests/test_g.py", Suite: "TestH.TestI", Name: "test_x"},
		{File: "svc/README.md", Suite: "README.md", Name: "README.md"},
		{File: "other/test_f.py", Name: "test_z"},
	})
	want := []string{
		"tests/test_a.py::test_x[a/b]", "tests/test_a.py::TestB::TestC::test_y", "tests/test_c.py::TestD::test_inherited", "tests/test_e.py",
		"tests/test_g.py::TestH::TestI::test_x", "README.md::README.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

// A selection that cannot be carried out is an error, never a run of everything.
func TestSelectionNeverWidens(t *testing.T) {
	t.Parallel()
	for _, a := range []Adapter{vitest, jest, mocha, pytest} {
		for _, file := range []string{"", "elsewhere/a.test.js"} {
			inv, err := a.Invocation(Detection{Framework: a.Name, Dir: "web", Program: []string{"x"}}, Request{OutDir: "/out", Tests: []Selected{{File: file}}})
			if err == nil {
				t.Errorf("%s: file %q is run as %q", a.Name, file, inv.Argv)
			}
		}
	}
	for _, a := range []Adapter{vitest, jest} {
		d := Detection{Framework: a.Name, Dir: "web", Program: []string{"x"}}
		inv, _ := a.Invocation(d, Request{OutDir: "/out", Related: []string{"api/a.py"}})
		if all, _ := a.Invocation(d, Request{OutDir: "/out"}); !cmp.Equal(inv, all) {
			t.Errorf("%s: with nothing related below it, %q is run", a.Name, inv.Argv)
		}
	}
}

func TestCustomCommand(t *testing.T) {
	t.Parallel()
	d, err := Custom(".", `CI=1 make "test all" REPORT={out}/j.xml`, nil, nil)
	if err != nil || d.Dir != "" || !cmp.Equal(d.Program, []string{"make", "test all", "REPORT={out}/j.xml"}) || !cmp.Equal(d.Env, []string{"CI=1"}) {
		t.Errorf("Custom = %+v, %v", d, err)
	}
	if d.Hint == "" || d.CoverageHint == "" {
		t.Error("nothing says that reports are missing")
	}
	for _, line := range []string{"", "  ", "a && b", "a | b", "a > file", "a; b", "echo $(id)", "echo `id`", "a &", "a\nb"} {
		if _, err := Custom("", line, nil, nil); err == nil {
			t.Errorf("Custom(%q) needs a shell and is accepted", line)
		}
	}
	if _, err := Custom("", `grep "a && b" x`, nil, nil); err != nil {
		t.Errorf("an operator in quotes is refused: %v", err)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version      string
		major, minor int
		want         bool
	}{
		{"3.2.4", 3, 0, true}, {"3.2.4", 3, 2, true}, {"3.2.4", 3, 3, false}, {"^2.1.0", 3, 0, false}, {"10.0.0", 9, 2, true},
		{"", 9, 9, true}, {"latest", 4, 0, true}, {"99999999999999999999.1", 4, 0, true},
	} {
		if got := atLeast(c.version, c.major, c.minor); got != c.want {
			t.Errorf("atLeast(%q, %d, %d) = %v", c.version, c.major, c.minor, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{`a "b c" && d`, `\`, `'`, "a\\", "npm run test -- --x=1 | y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		for _, command := range words(script) {
			if len(command) == 0 {
				t.Errorf("%q has an empty command", script)
			}
		}
	})
}

func FuzzINI(f *testing.F) {
	f.Add("[pytest]\naddopts = -q\n  --cov=a\n; x\n[run]\nsource=\n", "pytest")
	f.Add("[a\n = b\n\t c", "a")
	f.Fuzz(func(t *testing.T, text, section string) {
		values, ok := ini([]byte(text), section)
		if !ok && values != nil || ok && values == nil {
			t.Errorf("ini = %v, %v", values, ok)
		}
	})
}
