package scan

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/golang"
	"github.com/org/qa-action/internal/scan/javascript"
	"github.com/org/qa-action/internal/scan/linter"
	"github.com/org/qa-action/internal/scan/python"
	"github.com/org/qa-action/internal/scan/sarif"
)

// parsers reads each program's report. testdata/reports holds one of every
// program as it printed it.
var parsers = map[string]func(process.Result) ([]engine.Hit, error){
	"biome":         javascript.ParseBiome,
	"biome-github":  javascript.ParseBiomeAnnotations,
	"compileall":    python.ParseCompileall,
	"eslint":        javascript.ParseEslint,
	"golangci-lint": func(r process.Result) ([]engine.Hit, error) { return golang.ParseGolangciLint(".", r) },
	"gosec":         golang.ParseGosec,
	"govet":         func(r process.Result) ([]engine.Hit, error) { return golang.ParseGoVet(".", r) },
	"oxlint":        javascript.ParseOxlint,
	"pylint":        python.ParsePylint,
	"ruff":          python.ParseRuff,
	"sarif":         func(r process.Result) ([]engine.Hit, error) { return sarif.Parse(r.Stdout) },
	"staticcheck":   func(r process.Result) ([]engine.Hit, error) { return golang.ParseStaticcheck(".", r) },
}

func TestReports(t *testing.T) {
	t.Parallel()
	for name, parse := range parsers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := os.ReadFile(filepath.Join("testdata", "reports", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			hits, err := parse(process.Result{Stdout: report})
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) == 0 {
				t.Error("no hits")
			}
			out, err := json.MarshalIndent(hits, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Assert(t, string(out)+"\n", filepath.Join("reports", name+".golden"))
		})
	}
}

// TestHalfAReportIsNoCleanReport cuts every report off: what is left may hold
// findings, but never passes for the whole.
func TestHalfAReportIsNoCleanReport(t *testing.T) {
	t.Parallel()
	for name, parse := range parsers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := os.ReadFile(filepath.Join("testdata", "reports", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parse(process.Result{Stdout: report[:len(report)*2/3], ExitCode: 1}); err == nil {
				t.Error("two thirds of a report are read without an error")
			}
			if hits, err := parse(process.Result{Stderr: []byte("Killed"), ExitCode: 137}); err == nil || len(hits) > 0 {
				t.Errorf("no report at all gives %v and no error", hits)
			}
		})
	}
}

func FuzzReports(f *testing.F) {
	names := slices.Sorted(maps.Keys(parsers))
	for i, name := range names {
		report, err := os.ReadFile(filepath.Join("testdata", "reports", name+".txt"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), report)
	}
	f.Fuzz(func(t *testing.T, which uint8, report []byte) {
		name := names[int(which)%len(names)]
		hits, err := parsers[name](process.Result{Stdout: report})
		if err != nil {
			return
		}
		for _, h := range hits {
			if h.Rule == "" {
				t.Errorf("%s gives a hit without a rule: %+v", name, h)
			}
			engine.RuleFor(h)
		}
	})
}

// TestALongLineDoesNotEndTheReport: the library stops reading at a line of
// 64 KiB without a word.
func TestALongLineDoesNotEndTheReport(t *testing.T) {
	t.Parallel()
	l := linter.Linter{Name: "x", Command: []string{"x"}, Errorformat: []string{"%f:%l: %m"}}
	out := strings.Repeat("x", 1<<20) + "\na.go:1: found\nb.go:2: " + strings.Repeat("y", 1<<20) + "\nc.go:3: found too\n"
	hits, err := l.Parse(process.Result{Stdout: []byte(out)})
	if err != nil || len(hits) != 3 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

func FuzzErrorformat(f *testing.F) {
	l := linter.Linter{Name: "x", Command: []string{"x"}, Errorformat: []string{"%f:%l:%c: %m", "%f:%l: %m"}}
	f.Add([]byte("a.go:1:2: E501 too long\nb.go:3: fine\n"))
	f.Add([]byte(":::::\n\x00:9999999999999999999999:1: x"))
	f.Fuzz(func(t *testing.T, out []byte) {
		hits, err := l.Parse(process.Result{Stdout: out})
		if err != nil {
			return
		}
		for _, h := range hits {
			if h.Path == "" || h.Lines.Start < 1 {
				t.Errorf("%+v", h)
			}
		}
	})
}

// TestGosecThatCouldNotLoadIsNotClean: gosec prints an empty list of issues for
// packages it could not load.
func TestGosecThatCouldNotLoadIsNotClean(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		`loading files from package \"./\": go: go.mod requires go \u003e= 1.99`: "install that version of Go",
		`could not import github.com/nope/nope`:                                  "download the modules first",
		`undefined: x`:                                                           "gosec saw only a part",
	} {
		report := `{"Golang errors":{"./":[{"line":0,"error":"` + said + `"}]},"Issues":[],"Stats":{"files":0}}`
		if _, err := golang.ParseGosec(process.Result{Stdout: []byte(report), ExitCode: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
