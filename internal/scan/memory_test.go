package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/source/outline"
)

// project is a sample project whose files all changed, and what programs were run on it.
type project struct {
	root  string
	files map[string]string
	base  map[string]string
	runs  int
	exec  func(context.Context, process.Command) (process.Result, error) // nil is process.Run
}

func sample(t *testing.T, names ...string) *project {
	t.Helper()
	p := &project{root: t.TempDir(), files: map[string]string{}, base: map[string]string{}}
	for _, name := range names {
		from := os.DirFS(filepath.Join("..", "..", "testdata", "repo", name))
		assert.NilError(t, fs.WalkDir(from, ".", func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && file != "." || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			if ext := filepath.Ext(file); err != nil || ext != ".py" && ext != ".ts" && ext != ".js" && ext != ".go" {
				return err
			}
			text, err := fs.ReadFile(from, file)
			p.put(t, name+"/"+file, string(text))
			p.base[name+"/"+file] = string(text)
			return err
		}))
	}
	assert.Assert(t, len(p.files) > 5)
	return p
}

func (p *project) put(t *testing.T, name, text string) {
	t.Helper()
	write(t, p.root, name, text)
	p.files[name] = text
}

// scan scans all of it; kept is where scans remember, nil for one that does not.
func (p *project) scan(t *testing.T, kept *output.Dir, with func(*Request)) finding.Result {
	t.Helper()
	var req Request
	req.AbsRoot, req.Outline, req.Env = p.root, outline.Parse, os.Environ()
	p.runs = 0
	req.Exec = func(ctx context.Context, c process.Command) (process.Result, error) {
		if slices.ContainsFunc(c.Argv, func(a string) bool { return strings.HasPrefix(a, "./") }) {
			p.runs++ // over files, not for a version
		}
		if p.exec != nil {
			return p.exec(ctx, c)
		}
		return process.Run(ctx, c)
	}
	req.Base = func(name string) ([]byte, error) {
		if text, ok := p.base[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	req.Engines = []string{"-govet", "-staticcheck", "-gosec", "-oxlint"} // of which nothing is remembered
	for name, text := range p.files {
		kind, language, _ := change.Classify(name, []byte(text))
		f := qa.FileChange{Path: name, Kind: kind, Language: language, Status: qa.Modified, Added: []qa.Range{{Start: 1, End: 1 << 20}}}
		if _, ok := p.base[name]; !ok {
			f.Status = qa.Added
		}
		req.Change.Files = append(req.Change.Files, f)
	}
	slices.SortFunc(req.Change.Files, func(a, b qa.FileChange) int { return strings.Compare(a.Path, b.Path) })
	if with != nil {
		with(&req)
	}
	if kept != nil {
		req.Kept, req.Memory = kept, Recall(kept)
	}
	res, err := Run(t.Context(), req)
	assert.NilError(t, err)
	return res
}

// text is a result without the times of its engines.
func text(t *testing.T, res finding.Result) string {
	t.Helper()
	for i := range res.Engines {
		res.Engines[i].Seconds = 0
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", " ")
	assert.NilError(t, enc.Encode(res))
	return out.String()
}

var snippets = []string{
	"import os\n", "x = eval(input())\n", "def f(:\n", "export const a = (1;\n", "if (x == NaN) { y() }\n", "const key = \"AK" + "IAQ3EGRT7LWPXZ5NVC\"\n",
	"def g(a=[]):\n    return a\n", "\xff\xfe", "\ufeff", "# noqa\n", "for a in b:\n    pass\n" + strings.Repeat("if a and b or c: pass\n", 20),
	"function h(a) {" + strings.Repeat(" if (a && b || c) { d() }", 9) + "}\n", "/* @flow */\n", "it.only('x', () => {})\n",
}

// TestRememberedIsWhatEnginesSay: over a series of edits a scan that remembers says,
// byte for byte, what one says that does not; and where nothing changed it runs nothing.
func TestRememberedIsWhatEnginesSay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			p := sample(t, "pytest", "vitest")
			kept := output.At(t.TempDir())
			for step := range 5 {
				names := make([]string, 0, len(p.files))
				for name := range p.files {
					names = append(names, name)
				}
				slices.Sort(names)
				name := names[r.IntN(len(names))]
				lines := strings.SplitAfter(p.files[name], "\n")
				at := r.IntN(len(lines))
				switch r.IntN(5) {
				case 0:
					lines = slices.Delete(lines, at, at+1)
				case 1: // the same text in another place is another file
					delete(p.files, name)
					assert.NilError(t, os.Remove(filepath.Join(p.root, filepath.FromSlash(name))))
					name = fmt.Sprintf("%s/tests/test_%d%s", filepath.Dir(name), step, filepath.Ext(name))
				case 2:
					p.put(t, "pytest/ruff.toml", []string{"select = [\"F\"]\n", "line-length = 40\n"}[r.IntN(2)])
				default:
					lines = slices.Insert(lines, at, snippets[r.IntN(len(snippets))])
				}
				p.put(t, name, strings.Join(lines, ""))
				want := text(t, p.scan(t, nil, nil))
				assert.Equal(t, text(t, p.scan(t, kept, nil)), want, "step %d", step)
				assert.Equal(t, text(t, p.scan(t, kept, nil)), want, "step %d, again", step)
			}
		})
	}
}

// TestNothingIsScannedTwice: where nothing changed no program is run over a file, and
// where one file did, it is over that one.
func TestNothingIsScannedTwice(t *testing.T) {
	t.Parallel()
	p := sample(t, "pytest", "vitest")
	for name, content := range p.files { // what cannot be remembered has no place here
		assert.Assert(t, !strings.Contains(content, "\xff"), name)
	}
	kept := output.At(t.TempDir())
	p.scan(t, kept, nil)
	assert.Assert(t, p.runs > 0)
	p.scan(t, kept, nil)
	assert.Equal(t, p.runs, 0)
	p.put(t, "pytest/new.py", "import os\nx = (1\n")
	seen := 0
	p.exec = func(ctx context.Context, c process.Command) (process.Result, error) {
		seen += len(slices.DeleteFunc(slices.Clone(c.Argv), func(a string) bool { return !strings.HasSuffix(a, ".py") }))
		return process.Run(ctx, c)
	}
	res := p.scan(t, kept, nil)
	assert.Equal(t, seen, 1)
	assert.Assert(t, slices.ContainsFunc(res.Findings, func(f qa.Finding) bool { return f.Path == "pytest/new.py" }))
}

// TestAMemoryThatIsNotOurs begins anew: truncated, of another program, or with a value
// that means nothing, it changes no finding.
func TestAMemoryThatIsNotOurs(t *testing.T) {
	t.Parallel()
	p := sample(t, "pytest", "vitest")
	p.put(t, "pytest/bad.py", "x = (1\n")
	dir := t.TempDir()
	file := filepath.Join(dir, memoryFile)
	want := text(t, p.scan(t, output.At(dir), nil))
	good, err := os.ReadFile(file)
	assert.NilError(t, err)
	var f remembered
	assert.NilError(t, json.Unmarshal(good, &f))
	garbled, clean := remembered{f.Program, map[string]json.RawMessage{}}, remembered{"another", map[string]json.RawMessage{}}
	for key := range f.Found {
		garbled.Found[key] = json.RawMessage(`7`)
		clean.Found[key] = json.RawMessage(`[]`)
	}
	encoded := func(f remembered) []byte {
		raw, err := json.Marshal(f)
		assert.NilError(t, err)
		return raw
	}
	for name, raw := range map[string][]byte{
		"truncated": good[:len(good)/2], "empty": nil, "of another program": encoded(clean), "garbled": encoded(garbled), "no object": []byte(`[]`),
	} {
		assert.NilError(t, os.WriteFile(file, raw, 0o600))
		assert.Equal(t, text(t, p.scan(t, output.At(dir), nil)), want, name)
		assert.Assert(t, p.runs > 0, name)
	}
}

// TestWhatIsNotRemembered: what a program says is not, where code of the repository ran
// beside it, where the file it read is not the one that was looked at, and where the
// program itself is the repository's.
func TestWhatIsNotRemembered(t *testing.T) {
	t.Parallel()
	t.Run("code of the repository beside", func(t *testing.T) {
		t.Parallel()
		p, kept := sample(t, "pytest", "vitest"), output.At(t.TempDir())
		p.scan(t, kept, func(r *Request) { r.Beside = true })
		p.scan(t, kept, nil)
		assert.Assert(t, p.runs > 0)
	})
	t.Run("another file", func(t *testing.T) {
		t.Parallel()
		p, kept := sample(t, "pytest", "vitest"), output.At(t.TempDir())
		p.put(t, "pytest/bad.py", "x = (1\n")
		p.exec = func(ctx context.Context, c process.Command) (process.Result, error) {
			write(t, p.root, "pytest/bad.py", "x = 1\n")
			return process.Run(ctx, c)
		}
		p.scan(t, kept, nil)
		p.exec = nil
		p.put(t, "pytest/bad.py", "x = (1\n")
		res := p.scan(t, kept, nil)
		assert.Assert(t, slices.ContainsFunc(res.Findings, func(f qa.Finding) bool { return f.Path == "pytest/bad.py" }))
	})
	t.Run("a program of the repository", func(t *testing.T) {
		t.Parallel()
		p, kept := sample(t, "pytest", "vitest"), output.At(t.TempDir())
		own := filepath.Join(p.root, "bin", "python3")
		assert.NilError(t, os.MkdirAll(filepath.Dir(own), 0o755))
		assert.NilError(t, os.WriteFile(own, []byte("#!/bin/sh\n[ \"$1\" = --version ] && echo Python 3.12.0\nexit 0\n"), 0o755))
		for range 2 {
			p.scan(t, kept, func(r *Request) {
				r.ToolPath = func(name string) (string, error) {
					if name == "python3" {
						return own, nil
					}
					return "", os.ErrNotExist
				}
			})
			assert.Assert(t, p.runs > 0)
		}
	})
}
