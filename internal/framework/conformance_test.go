package framework

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Every adapter passes these; a new one needs a sample project of its name.

// sample gives the detection of an adapter's own project; command has none.
func sample(t *testing.T, name string) (adapter.Detection, string) {
	t.Helper()
	if name == Command.Name {
		d, err := Custom("", "make test REPORT={out}/junit.xml", []adapter.Declared{{Path: "{out}/junit.xml", Format: "junit"}}, []adapter.Declared{{Path: "build/*.info", Format: "lcov"}})
		if err != nil {
			t.Fatal(err)
		}
		return d, ""
	}
	repo := fixture.Sources(t, name)
	found, err := Detect(repo.Dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Framework != name {
		t.Fatalf("project %s: found %+v, want %s alone", name, found, name)
	}
	return found[0], repo.Dir
}

func TestConformance(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/frameworks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := For(name)
			if err != nil {
				t.Fatal(err)
			}
			if a.Name != name || a.Invocation == nil || a.IsTest == nil || a.TestPath == nil || len(a.Forbidden) == 0 || a.Reproduce == nil || a.Explain == nil || a.Detect == nil {
				t.Fatalf("adapter %q is not complete", a.Name)
			}
			if !strings.Contains(string(page), "| `"+name+"` |") {
				t.Error("no row in docs/frameworks.md")
			}
			d, dir := sample(t, name)
			checkInvocations(t, a, d)
			if d := a.Explain(1, ""); d != (diagnosis.Diagnosis{}) {
				t.Errorf("silence is explained as %q", d)
			}
			if dir == "" {
				return
			}
			checkTestFiles(t, a, dir)
		})
	}
}

func checkInvocations(t *testing.T, a adapter.Adapter, d adapter.Detection) {
	t.Helper()
	one := qa.Case{File: "src/a b.test.ts", Suite: "it's > a $(suite)", Name: "does `x` (now)"}
	for what, req := range map[string]adapter.Request{
		"all":      {},
		"coverage": {Coverage: true},
		"tests":    {Coverage: true, Tests: adapter.Select([]qa.Case{one})},
		"related":  {Related: []string{"src/a.ts"}},
		"shuffled": {Shuffle: true, Seed: 3, Parallel: 2},
	} {
		req.OutDir = "/out"
		before := len(d.Program)
		inv, err := a.Invocation(d, req)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		again, _ := a.Invocation(d, req)
		if diff := cmp.Diff(inv, again); diff != "" || len(d.Program) != before {
			t.Errorf("%s: two answers differ:\n%s", what, diff)
		}
		if len(inv.Argv) == 0 || len(inv.Tests) == 0 {
			t.Errorf("%s: no command or no report: %+v", what, inv)
		}
		words := inv.Argv
		if len(words) > 1 && words[0] == "sh" && inv.Files[strings.TrimPrefix(words[1], "/out/")] != "" { // a file of the adapter's own
			words = words[2:]
		} else if len(words) > 3 && words[0] == "sh" && words[2] == `exec "$@" 2>&1` { // both streams in one, and nothing of the words is read by it
			words = words[4:]
		}
		if slices.ContainsFunc(words, func(w string) bool { return w == "npx" || w == "sh" || w == "bash" }) {
			t.Errorf("%s: a shell or a downloader in %q", what, inv.Argv)
		}
		for _, r := range append(slices.Clone(inv.Tests), inv.Coverage...) {
			if r.Format == "" || !r.Stdout && filepath.IsAbs(r.Path) && !strings.HasPrefix(r.Path, "/out/") {
				t.Errorf("%s: report %+v is outside the output directory or of no format", what, r)
			}
		}
		if req.Coverage && len(inv.Coverage) == 0 && d.CoverageHint == "" {
			t.Errorf("%s: no coverage and no hint", what)
		}
		if !req.Coverage && len(inv.Coverage) > 0 {
			t.Errorf("%s: coverage nobody asked for", what)
		}
	}
	if line := a.Reproduce(d, one); strings.Contains(line, "$(suite)") && !strings.Contains(line, `'\''`) {
		t.Errorf("not quoted for a shell: %s", line)
	}
}

// checkTestFiles: the project's tests are known, its sources are none, and a
// source's tests belong where the project has them.
func checkTestFiles(t *testing.T, a adapter.Adapter, dir string) {
	t.Helper()
	var tests, sources []string
	for _, f := range strings.Fields(strings.Join(tracked(t, dir), "\n")) {
		switch {
		case a.IsTest(f):
			tests = append(tests, f)
		case path.Ext(f) != "" && language.Of(f).Title != "" && strings.Contains(f, "/"):
			sources = append(sources, f)
		}
	}
	if len(tests) == 0 || len(sources) == 0 {
		t.Fatalf("tests %q, sources %q", tests, sources)
	}
	for _, s := range sources {
		at := a.TestPath(s, tests)
		if !a.IsTest(at) {
			t.Errorf("TestPath(%s) = %s, which is no test", s, at)
		}
		stem := strings.TrimSuffix(filepath.Base(s), filepath.Ext(s))
		if slices.ContainsFunc(tests, func(test string) bool { return strings.Contains(filepath.Base(test), stem) }) && !slices.Contains(tests, at) {
			t.Errorf("TestPath(%s) = %s, want one of %q", s, at, tests)
		}
		fresh := a.TestPath(filepath.Dir(s)+"/brandnew"+filepath.Ext(s), tests)
		beside := language.Of(s).Project.FolderIsPackage && filepath.Dir(fresh) == filepath.Dir(s)
		if !beside && filepath.Dir(fresh) != filepath.Dir(tests[0]) {
			t.Errorf("a new test is put at %s, the others are %q", fresh, tests)
		}
	}
}

func tracked(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestForNamesTheValidOnes(t *testing.T) {
	t.Parallel()
	if _, err := For("karma"); err == nil || !strings.Contains(err.Error(), `"karma", valid are `+strings.Join(Names(), ", ")) {
		t.Errorf("For(karma) = %v", err)
	}
}

// held runs a test for every framework that has a sample project of its name.
func held(t *testing.T, test func(*testing.T, adapter.Adapter, fixture.Expected)) {
	for _, a := range table {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			test(t, a, fixture.Expect(t, a.Name))
		})
	}
}

func TestForbidden(t *testing.T) {
	t.Parallel()
	held(t, func(t *testing.T, a adapter.Adapter, e fixture.Expected) {
		hits := func(code string) (rules []string) {
			for _, s := range a.Forbidden {
				if s.Rule == "" || s.Why == "" {
					t.Errorf("construct without rule or reason: %+v", s)
				}
				if s.Line.MatchString(code) {
					rules = append(rules, s.Rule)
				}
			}
			return rules
		}
		for _, line := range e.Forbidden {
			rule, code, _ := strings.Cut(line, ": ")
			if !slices.Contains(hits(code), rule) {
				t.Errorf("%q is not found to be %s, found %q", code, rule, hits(code))
			}
		}
		for _, code := range e.Allowed {
			if rules := hits(code); len(rules) > 0 {
				t.Errorf("%q is taken for %q", code, rules)
			}
		}
	})
}

func TestExplain(t *testing.T) {
	t.Parallel()
	held(t, func(t *testing.T, a adapter.Adapter, e fixture.Expected) {
		if len(e.Starts) == 0 {
			t.Error("expected.json has no failed start")
		}
		for _, s := range e.Starts {
			for _, explain := range []func(int, ...string) diagnosis.Diagnosis{a.Explain, Command.Explain} {
				d := explain(s.Exit, s.Said)
				if d.Kind == "" != (s.Kind == "") || d.Kind != "" && d.Cause == "" {
					t.Errorf("%q is explained as %q: %q, want %q", s.Said, d.Kind, d, s.Kind)
				}
				if text := d.Cause + d.Cure; strings.Contains(text, "$1") || strings.Contains(text, "  ") {
					t.Errorf("%q gives an unfinished explanation %q", s.Said, text)
				}
			}
			if d := a.Explain(s.Exit, s.Said); string(d.Kind) != s.Kind || !strings.Contains(d.Cause+"; "+d.Cure, s.Hint) {
				t.Errorf("%q is explained as %q: %q, want %q: …%s…", s.Said, d.Kind, d, s.Kind, s.Hint)
			}
		}
	})
}
