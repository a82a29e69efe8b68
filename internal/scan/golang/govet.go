// Package golang has the engines for Go.
package golang

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Govet runs the target's own `go vet`: it is never too old for the target.
var Govet = engine.Engine{
	Name:         "govet",
	Perspectives: []qa.Perspective{qa.Bug},
	Languages:    []string{"go"}, Tool: "go", Version: []string{"version"},
	YieldsTo: []string{"golangci-lint"},
	Run:      runGoVet,
}

func runGoVet(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	tool, err := p.Tool("go")
	if err != nil {
		return nil, err
	}
	return eachModule(ctx, p, func(module string, dirs []string) ([]engine.Hit, error) {
		res, err := p.Run(ctx, module, goEnv(p), append([]string{tool, "vet", "-json", "--"}, dirs...)...)
		if err != nil {
			return nil, err
		}
		hits, err := ParseGoVet(module, res)
		return hits, errors.Join(err, elsewhere(p, hits))
	})
}

// elsewhere says that a package was not looked at, because a file that is not
// part of the change keeps it from compiling.
func elsewhere(p *engine.Pass, hits []engine.Hit) error {
	for _, h := range hits {
		file, ok := p.Subject.Relative(h.Path)
		if h.Rule == "go/compile" && ok && p.Tree.ByPath[file] == nil {
			return fmt.Errorf("the package does not compile: %s:%d: %s", file, h.Lines.Start, strings.TrimPrefix(h.Message, "Does not compile: "))
		}
	}
	return nil
}

// vetDiagnostic is one thing that go vet -json says; "file:line:column", and
// offsets in bytes.
type vetDiagnostic struct {
	Posn, End, Message string
	Fixes              []struct {
		Edits []struct {
			Filename   string
			Start, End int
			New        string
		}
	} `json:"suggested_fixes"`
}

// fix is the first fix that is offered, where it is of the file alone.
func (d vetDiagnostic) fix(file string) *engine.Fix {
	if len(d.Fixes) == 0 {
		return nil
	}
	var out engine.Fix
	for _, e := range d.Fixes[0].Edits {
		if e.Filename != file {
			return nil
		}
		out.Edits = append(out.Edits, engine.Edit{From: engine.Place{Column: e.Start}, To: engine.Place{Column: e.End}, Text: e.New})
	}
	return &out
}

// ParseGoVet reads what go vet -json prints: for each package a comment line
// and {package: {analyzer: [{posn, end, message}]}}, or, for a package that
// does not compile, "vet: ./a.go:2:12: …".
func ParseGoVet(module string, res process.Result) ([]engine.Hit, error) {
	var plainText, objects bytes.Buffer
	for _, stream := range [][]byte{res.Stdout, res.Stderr} {
		for line := range bytes.Lines(stream) {
			// Objects are printed indented: only their braces open a line.
			if c := line[0]; c == '{' || c == '}' || c == '\t' || c == ' ' {
				objects.Write(line)
			} else {
				plainText.Write(line)
			}
		}
	}
	var hits []engine.Hit
	dec := json.NewDecoder(&objects)
	for dec.More() {
		var packages map[string]map[string]json.RawMessage
		if err := dec.Decode(&packages); err != nil {
			return hits, engine.Garbled("go vet", res, err)
		}
		for _, analyzers := range packages {
			for name, raw := range analyzers {
				var found []vetDiagnostic
				if json.Unmarshal(raw, &found) != nil { // {"error": …}: the analyzer gave up
					continue
				}
				for _, d := range found {
					file, line, col, ok := position(d.Posn)
					if !ok {
						continue
					}
					end := line
					if _, l, _, ok := position(d.End); ok {
						end = l
					}
					hits = append(hits, engine.Hit{
						Rule: "govet/" + name, Path: file, Lines: qa.Range{Start: line, End: end}, Column: col,
						URL: "https://pkg.go.dev/cmd/vet", Message: engine.Sentence(d.Message), Fix: d.fix(file),
					})
				}
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b engine.Hit) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Lines.Start, b.Lines.Start), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
	broken, err := compileErrors(module, plainText.Bytes())
	hits = append(hits, broken...)
	if err == nil && res.ExitCode != 0 && len(hits) == 0 {
		err = fmt.Errorf("go vet failed: %s", wording.Cut(wording.First(plainText.String()), 200))
	}
	return hits, err
}

var (
	compileLine = pattern.New(`^(?:vet: )?((?:\./|\.\./)?[^\s:]+\.go):(\d+):(\d+): (.+)$`)
	// unresolved is what the compiler says when a module is not downloaded:
	// our environment's fault, not the change's.
	unresolved = pattern.New(`could not import|no required module|cannot find (package|module)|missing go\.sum|module lookup disabled|is not in std|requires go >=|no such tool|updates to go\.mod needed|inconsistent vendoring`)
)

// unloadable says that packages could not be loaded, in the go command's words,
// and what to do.
func unloadable(said string) error {
	next := "download the modules first (go mod download)"
	if strings.Contains(said, "requires go >=") {
		next = "install that version of Go"
	}
	return fmt.Errorf("packages cannot be loaded: %s; %s", wording.Cut(strings.TrimPrefix(said, "vet: "), 300), next)
}

// compileErrors reads the compiler's words; the error is a cause outside of the
// code for which packages could not be loaded.
func compileErrors(module string, text []byte) ([]engine.Hit, error) {
	var hits []engine.Hit
	for raw := range bytes.Lines(text) {
		line := strings.TrimRight(string(raw), "\r\n")
		if unresolved.MatchString(line) {
			// One missing import makes every use of it an error: they are no
			// findings.
			return nil, unloadable(line)
		}
		m := compileLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		file := m[1]
		if !filepath.IsAbs(file) { // the go command prints the shorter one of both
			file = path.Join(module, file)
		}
		hits = append(hits, engine.Hit{
			Rule: "go/compile", Path: file, Lines: qa.Range{Start: n, End: n}, Column: col,
			Message: "Does not compile: " + m[4],
		})
	}
	return hits, nil
}

// position splits "file:line:column" from the right.
func position(s string) (file string, line, col int, ok bool) {
	rest, c, ok1 := cutLast(s)
	file, l, ok2 := cutLast(rest)
	if !ok1 || !ok2 {
		return "", 0, 0, false
	}
	line, err1 := strconv.Atoi(l)
	col, err2 := strconv.Atoi(c)
	return file, line, col, err1 == nil && err2 == nil && line > 0
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}
