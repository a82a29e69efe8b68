package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/org/qa-action/internal/cli"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestMain lets the test binary be the program that the cells run.
func TestMain(m *testing.M) {
	if handled, code := runtime.MaybeSandbox(os.Args); handled {
		syscall.Exit(code)
	}
	if len(os.Args) > 1 && os.Args[1] == "run" {
		syscall.Exit(cli.Main(context.Background(), cli.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// TestQuickCut runs the cells of quick.txt, one or two of each kind; make sound
// runs them all.
func TestQuickCut(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	set := filepath.Join("..", "..", "testdata", "sound")
	raw, err := os.ReadFile(filepath.Join(set, "quick.txt"))
	if err != nil {
		t.Fatal(err)
	}
	cells, err := readCells(set)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := bench{program: program, shared: fixture.Cache(), // the compilers' caches, as the scripts have them
		projects: filepath.Join("..", "..", "testdata", "repo"), limit: bareLimit * 2, parallel: 2, out: t.Output()}
	if err := b.settle(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.work) })
	var quick []cell
	for id := range strings.FieldsSeq(string(raw)) {
		found := matching(slices.Clone(cells), regexp.MustCompile("^"+regexp.QuoteMeta(id)+"$"))
		if len(found) != 1 {
			t.Fatalf("quick.txt: no cell %s", id)
		}
		quick = append(quick, found...)
	}
	kept := &results{done: map[string]result{}}
	if err := b.runAll(t.Context(), quick, kept); err != nil {
		t.Fatal(err)
	}
	rows := kept.of(quick)
	if len(rows) != len(quick) {
		t.Errorf("%d of %d cells have a result", len(rows), len(quick))
	}
	for _, r := range rows {
		if r.Found != fine && r.Found != told {
			t.Errorf("%s: %s: %s: %s [%s]", r.id(), r.Found, r.Verdict, r.Reason, r.Why)
		}
	}
}
