package runtime

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Flags and variables may be the change's: none names a program to be run.
func TestOnlyChoicesOfTheCompilerAreHeeded(t *testing.T) {
	t.Parallel()
	g := GoTest{
		Flags: []string{"-race", "-exec", "./evil", "-toolexec=./evil", "-vettool=./evil", "-ldflags=-extld=./evil", "-tags", "a,b", "-covermode=atomic",
			"-overlay=x", "-modfile=y", "--coverpkg=./...", "-o", "out", "-gcflags=-o=z", "-tags", "-timeout", "5m", "race", "-tags"},
		Packages: []string{"./...", "-exec=./evil", "./x"},
		Env:      []string{"CC=./evil", "GOFLAGS=-toolexec=./evil", "GOWORK=off", "PATH=.", "CGO_ENABLED=0", "GOCACHE=/tmp"},
	}
	if diff := cmp.Diff([]string{"-race", "-tags=a,b", "-covermode=atomic", "--coverpkg=./...", "-tags=-timeout"}, g.flags()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"./...", "./x"}, g.packages()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"GOWORK=off", "CGO_ENABLED=0"}, g.env()); diff != "" {
		t.Error(diff)
	}
}

// A run compiles what changed since the last one, and what depends on it, once: not
// the standard library, not for base what head has too, and nothing when nothing
// changed. Where that is one package, its tests compile it.
func TestWhatDidNotChangeIsNotCompiledAgain(t *testing.T) {
	e2e(t)
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.22\n",
		"low/low.go": "package low\n\nfunc One() int { return 1 }\n", "low/low_test.go": "package low\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fail()\n\t}\n}\n",
		"high/high.go": "package high\n\nimport \"example.com/m/low\"\n\nfunc Two() int { return 2 * low.One() }\n", "high/high_test.go": "package high\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fail()\n\t}\n}\n",
		"apart/apart.go": "package apart\n\nfunc Three() int { return 3 }\n",
	})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "modules")
	base := git(t, root, "rev-parse", "HEAD")
	put(t, root, map[string]string{"high/high.go": "package high\n\nimport \"example.com/m/low\"\n\nfunc Two() int { return low.One() + 1 }\n"})
	o := Options{Root: root, Install: "never", Driver: "host", Cache: sharedCache(t), Scratch: sharedDir(t),
		Preparation: Preparation{GoTests: func(context.Context, *Workspace) []GoTest { return []GoTest{{Packages: []string{"./..."}}} }}}
	// Facts of other packages for the analysis of one, and programs of the toolchain.
	prepared := func(w *Workspace) {
		t.Helper()
		for _, argv := range [][]string{{"go", "vet", "-json", "-x", "./high"}, {"go", "-C", w.Results(), "tool", "covdata"}} {
			res, err := w.Run(t.Context(), Command{Argv: argv, Env: []string{"GOFLAGS="}})
			if err != nil || strings.Contains(string(res.Stderr), "/link ") {
				t.Errorf("%q: %v: %s", argv, err, res.Stderr)
			}
			for _, config := range strings.Split(string(res.Stderr), "\ncat >")[1:] {
				if strings.Contains(config, `"VetxOnly": true`) && !strings.Contains(config, `"ImportPath": "example.com/`) {
					t.Errorf("facts of another package are found out again: %s", config)
				}
			}
		}
		if found, _ := filepath.Glob(filepath.Join(w.box.Place.Layers(), "go-build", "*", "*-d", "covdata")); len(found) == 0 {
			t.Error("the program that counts coverage is not kept")
		}
	}
	compiled := func(w *Workspace) []string {
		t.Helper()
		res, err := w.Run(t.Context(), Command{Argv: []string{"go", "test", "-x", "-count=1", "-coverprofile=" + filepath.Join(w.Results(), "cover.out"), "./..."}})
		if err != nil || res.ExitCode != 0 {
			t.Fatalf("exit code %d, %v: %s%s", res.ExitCode, err, res.Stdout, res.Stderr)
		}
		var out []string
		for line := range strings.Lines(string(res.Stderr)) {
			for _, tool := range []string{"compile", "vet", "cover", "asm"} {
				if _, args, ok := strings.Cut(line, "/"+tool+" "); ok && !strings.Contains(args, "testmain") {
					_, name, _ := strings.Cut(args, " -p ")
					name, _, _ = strings.Cut(name, " ")
					out = append(out, strings.TrimSpace(tool+" "+name))
				}
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.find("go"); err != nil || !w.caches.guarded() {
		_ = w.Close()
		t.Skip("no Go here, or nothing that keeps the cache")
	}
	prepared(w)
	if got := compiled(w); len(got) > 0 {
		t.Errorf("head's suite compiles what was compiled for it: %q", got)
	}
	if w.box.Layers.Namespaces {
		b, err := w.At(t.Context(), base)
		if err != nil {
			t.Fatal(err)
		}
		// The one package that differs is left to the tests; what it needs is head's.
		if got, want := compiled(b), []string{"compile example.com/m/high", "cover", "vet"}; !slices.Equal(got, want) {
			t.Errorf("base's suite compiles %q, want %q", got, want)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// From here on nothing is compiled before: what the suite finds is from the first run.
	o.GoTests = func(context.Context, *Workspace) []GoTest { return nil }
	w = open(t, o)
	if got := compiled(w); len(got) > 0 {
		t.Errorf("a second run of the same change compiles %q", got)
	}
	put(t, w.Dir(), map[string]string{"low/low.go": "package low\n\nfunc One() int { return 2 - 1 }\n"})
	got := compiled(w)
	if len(got) == 0 || slices.ContainsFunc(got, func(what string) bool {
		return !strings.Contains(what, "low") && !strings.Contains(what, "high") && strings.Contains(what, " ")
	}) {
		t.Errorf("after a change of one package: %q", got)
	}
}
