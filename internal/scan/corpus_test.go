package scan

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/scan/linter"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/weakening"
)

const corpus = "../../testdata/scan"

// inProcess are the engines whose corpus needs nothing installed; the others'
// is run by TestCorpusOfPrograms.
var inProcess = []string{"complexity", "coverage-gap", "errorformat", "esbuild", "sarif", "secrets", "test-smell", "weakened-test"}

func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, name := range inProcess {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			corpusOf(t, name)
		})
	}
}

// corpusOf holds an engine against its planted defects and their clean twins.
func corpusOf(t *testing.T, engine string, change ...func(*Request)) {
	t.Helper()
	bad := scanFolder(t, engine, "bad", change...)
	if len(bad.Findings) == 0 {
		t.Errorf("%s is silent on its planted defects", engine)
	}
	golden.Assert(t, listing(bad), filepath.Join("..", corpus, engine, "want.txt"))
	if good := scanFolder(t, engine, "good", change...); len(good.Findings) > 0 {
		t.Errorf("%s complains about clean code:\n%s", engine, listing(good))
	}
}

// listing shows what a reader needs to judge a finding, one line each.
func listing(res finding.Result) string {
	var b strings.Builder
	for _, f := range res.Findings {
		fmt.Fprintf(&b, "%s:%s %s %s %v %v\n    %s\n    > %s\n", f.Path, f.Lines, f.Severity, f.Rule.ID, f.Perspectives, f.CWE,
			f.Message, strings.ReplaceAll(f.Quote, "\n", "\n    > "))
	}
	return b.String()
}

func scanFolder(t *testing.T, engine, half string, change ...func(*Request)) finding.Result {
	t.Helper()
	root := copyCorpus(t, filepath.Join(corpus, engine, half))
	req := request(t, root)
	req.Perspectives = qa.Perspectives()
	req.Engines = []string{engine}
	req.Coverage = readCoverage(t, root)
	base := filepath.Join(corpus, engine, map[string]string{"bad": "base", "good": "good-base"}[half])
	if _, err := os.Stat(base); err == nil {
		req.Base = func(p string) ([]byte, error) { return os.ReadFile(filepath.Join(base, p)) }
		for i, f := range req.Change.Files {
			if _, err := req.Base(f.Path); err == nil {
				req.Change.Files[i].Status = qa.Modified
			}
		}
	}
	req.Linters = corpusLinters[engine]
	for _, c := range change {
		c(&req)
	}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Engines {
		if e.State != "ran" {
			t.Fatalf("%s on %s: %s: %s", e.Name, half, e.State, e.Reason)
		}
	}
	return res
}

var corpusLinters = map[string][]linter.Linter{
	"errorformat": {{
		Name: "indent", Command: []string{"grep", "-nH", "^ ", "{files}"}, Errorformat: []string{"%f:%l:%m"},
		Perspective: qa.CodeQuality, Severity: qa.Low,
	}},
	"sarif": {{Name: "codeql", Report: "out/*.sarif"}},
}

// request asks for a scan of every file below root, all of it added.
func request(t testing.TB, root string) Request {
	t.Helper()
	req := Request{
		Subject: engine.Subject{AbsRoot: root, Outline: outline.Parse, Weakened: weakening.Compare}, Hands: engine.Hands{Env: os.Environ(), Timeout: time.Hour},
		Terms: finding.Terms{Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)},
	}
	err := filepath.WalkDir(root, func(abs string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, abs)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		src, err := os.ReadFile(abs)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		kind, language, generated := change.Classify(rel, src)
		req.Change.Files = append(req.Change.Files, qa.FileChange{
			Path: rel, Status: qa.Added, Kind: kind, Language: language, Generated: generated,
			Added: []qa.Range{{Start: 1, End: 1 + strings.Count(string(src), "\n")}},
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// copyCorpus copies a half of the corpus and puts planted credentials together.
func copyCorpus(t testing.TB, from string) string {
	t.Helper()
	root := t.TempDir()
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		to := filepath.Join(root, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(strings.ReplaceAll(string(src), "@@", "")), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// readCoverage reads the corpus' own notation: path line hits [branches taken].
func readCoverage(t testing.TB, root string) *qa.Coverage {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "coverage.txt"))
	if err != nil {
		return nil
	}
	defer file.Close()
	cov := &qa.Coverage{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var path string
		var hit qa.LineHit
		if n, _ := fmt.Sscan(lines.Text(), &path, &hit.Line, &hit.Hits, &hit.Branches, &hit.BranchesTaken); n < 3 {
			t.Fatalf("coverage.txt: %q", lines.Text())
		}
		if len(cov.Files) == 0 || cov.Files[len(cov.Files)-1].Path != path {
			cov.Files = append(cov.Files, qa.FileCoverage{Path: path})
		}
		last := &cov.Files[len(cov.Files)-1]
		last.Lines = append(last.Lines, hit)
	}
	return cov
}

// TestEveryEngineHasACorpus keeps an engine from being added without one.
func TestEveryEngineHasACorpus(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		for _, half := range []string{"bad", "good"} {
			if _, err := os.Stat(filepath.Join(corpus, name, half)); err != nil {
				t.Errorf("engine %s has no corpus: %v", name, err)
			}
		}
	}
}

func write(t testing.TB, root, name, text string) {
	t.Helper()
	abs := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
