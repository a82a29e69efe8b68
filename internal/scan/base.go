package scan

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/wording"
)

// markBase runs the engines that look at one file at a time over the base
// versions of the files they complained about, and marks what stood there
// before. What cannot be compared stays unmarked: then only changed lines and
// functions decide what is new.
func markBase(ctx context.Context, req Request, t *engine.Tree, slots []*slot) {
	if req.Base == nil || req.Change.All {
		return
	}
	var wg sync.WaitGroup
	for _, s := range slots {
		switch {
		case len(s.hits) == 0 || s.row.State != "ran":
		case s.engine.PerFile:
			wg.Go(func() { s.compare(ctx, req, t) })
		case s.engine.LineOnly:
			wg.Go(func() { s.moved(req, t) })
		}
	}
	wg.Wait()
	markBroken(ctx, req, t, slots)
}

// compare runs the slot's engine on base and marks its hits.
func (s *slot) compare(ctx context.Context, req Request, t *engine.Tree) {
	files := baseFiles(req, t, s.hits)
	if len(files) == 0 {
		return
	}
	pass := &engine.Pass{AbsRoot: req.ExecRoot, Files: files, Base: true, Subject: req.Subject, Hands: req.Hands, Tree: t}
	if s.engine.Tool != "" {
		dir, remove, err := layOut(req.TempDir, files, func(string) map[string][]byte { return s.configs() })
		defer remove()
		if err != nil {
			s.row.Reason = "not compared with base: " + err.Error()
			return
		}
		pass.AbsRoot = dir
	}
	hits, _, err := guard(ctx, req.Timeout, s.engine, pass)
	if err != nil {
		s.row.Reason = "not compared with base: " + wording.Cut(err.Error(), 300)
		return
	}
	byPath := map[string]*engine.File{}
	for _, f := range files {
		byPath[f.Path] = f
	}
	s.onBase = map[string]bool{}
	for _, f := range files {
		s.onBase[f.Path] = false
	}
	stood := map[string]int{}
	for _, h := range hits {
		h.Path, _ = engine.Relative(pass.AbsRoot, h.Path)
		if h.Breaks() {
			s.onBase[h.Path] = true
		}
		stood[likeness(h, byPath[h.Path])]++
	}
	// Hits on lines that the change did not write are the ones that stood
	// there; only what is left of the count excuses a written line (it was
	// moved or re-indented).
	for _, written := range []bool{false, true} {
		for i := range s.hits {
			h := &s.hits[i]
			p, _ := req.Relative(h.Path)
			f := t.ByPath[p]
			if f == nil || h.Old || f.Touches(h.Lines) != written {
				continue
			}
			like := h.Hit
			like.Path = p
			if key := likeness(like, f); stood[key] > 0 {
				stood[key]--
				h.Old = true
			}
		}
	}
}

// moved marks hits of an engine that needs the whole program, and so cannot be
// run on base, when their line stood in the base file and stands no longer in
// what the change left alone: it was moved or indented, not written.
func (s *slot) moved(req Request, t *engine.Tree) {
	stood := map[string]int{}
	for _, base := range baseFiles(req, t, s.hits) {
		for n := 1; n <= base.Lines(); n++ {
			stood[base.Path+"\x00"+wording.Fold(base.Line(n))]++
		}
		head := t.ByPath[base.Path]
		for n := 1; n <= head.Lines(); n++ {
			if !head.Touches(qa.Range{Start: n, End: n}) {
				stood[base.Path+"\x00"+wording.Fold(head.Line(n))]--
			}
		}
	}
	for i := range s.hits {
		h := &s.hits[i]
		p, _ := req.Relative(h.Path)
		f := t.ByPath[p]
		if f == nil || !f.Touches(h.Lines) {
			continue
		}
		if key := p + "\x00" + wording.Fold(f.Line(h.Lines.Start)); stood[key] > 0 {
			stood[key]--
			h.Old = true
		}
	}
}

// likeness is what stays the same of a hit when lines shift.
func likeness(h engine.Hit, f *engine.File) string {
	if f == nil {
		return ""
	}
	return engine.RuleFor(h).Group + "\x00" + h.Path + "\x00" + wording.Fold(f.Line(h.Lines.Start))
}

// baseFiles gives the base versions of the files that hits are in, under their
// head paths so that findings can be compared.
func baseFiles(req Request, t *engine.Tree, hits []finding.Reported) []*engine.File {
	var out []*engine.File
	seen := map[string]bool{}
	for _, h := range hits {
		p, _ := req.Relative(h.Path)
		f := t.ByPath[p]
		if f == nil || seen[p] || f.Status == qa.Added {
			continue
		}
		seen[p] = true
		if base := baseFile(req, f); base != nil {
			out = append(out, base)
		}
	}
	return out
}

// layOut writes files, and what extra gives for the directory, into a new
// directory below temp that programs may read; remove is never nil. Where temp is a working copy the directory lies beside
// git's own files: tests may be running there at the same time, and whatever
// else has the name of a test, their runner takes for one.
func layOut(temp string, files []*engine.File, extra func(dir string) map[string][]byte) (dir string, remove func(), err error) {
	remove = func() {}
	temp = cmp.Or(temp, os.TempDir())
	top, err := os.OpenRoot(temp)
	if err != nil {
		return "", remove, fmt.Errorf("make a directory for base files: %w", err)
	}
	name := "qa-base-" + rand.Text()
	if info, err := top.Lstat(".git"); err == nil && info.IsDir() {
		name = path.Join(".git", name)
	}
	remove = func() {
		_ = top.RemoveAll(name) // the copy it lies in is removed in the end
		_ = top.Close()
	}
	if err := errors.Join(top.Mkdir(name, 0o755), top.Chmod(name, 0o755)); err != nil {
		return "", remove, fmt.Errorf("make a directory for base files: %w", err)
	}
	dir = filepath.Join(temp, filepath.FromSlash(name))
	root, err := top.OpenRoot(name)
	if err != nil {
		return dir, remove, fmt.Errorf("open the directory for base files: %w", err)
	}
	defer root.Close()
	content := map[string][]byte{}
	maps.Copy(content, extra(dir))
	for _, f := range files {
		content[f.Path] = f.Source
	}
	for _, name := range slices.Sorted(maps.Keys(content)) {
		if parent := path.Dir(name); parent != "." {
			if err := root.MkdirAll(parent, 0o755); err != nil {
				return dir, remove, fmt.Errorf("write base files: %w", err)
			}
		}
		if err := root.WriteFile(name, content[name], 0o644); err != nil {
			return dir, remove, fmt.Errorf("write base files: %w", err)
		}
	}
	return dir, remove, nil
}

// configs reads the engine's configuration files of head by path.
func (s *slot) configs() map[string][]byte {
	out := map[string][]byte{}
	for _, dir := range s.pass.Dirs() {
		for _, name := range s.engine.Configs {
			if src := s.pass.Tree.Content(path.Join(dir, name)); src != nil {
				out[path.Join(dir, name)] = src
			}
		}
	}
	return out
}
