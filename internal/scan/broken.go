package scan

import (
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/scan/golang"
	"github.com/org/qa-action/internal/scan/javascript"
)

// A file that no longer parses is the change's doing, whatever line says so: an
// open quote on a changed line is reported far below it. Lines decide nothing
// about such hits; whether the file parsed on base does.

// markBroken decides about the hits that say so. An engine that was run over
// the base file knows by itself; of another one's word (which may only mean
// that it is not set up for the file) a parser of ours must say the same.
func markBroken(ctx context.Context, req Request, t *engine.Tree, slots []*slot) {
	compiled := compiledOnBase(ctx, req, t, slots)
	for _, s := range slots {
		for i := range s.hits {
			h := &s.hits[i]
			if !h.Breaks() {
				continue
			}
			p, _ := req.Relative(h.Path)
			f := t.ByPath[p]
			if f == nil || f.Status == qa.Added {
				continue
			}
			broken, known := s.onBase[p]
			if h.Rule == "go/compile" && compiled != nil {
				broken, known = compiled[errorKey(p, h.Hit)], true
			}
			if !known {
				base := baseFile(req, f)
				if !unparsable(f) {
					continue // lines decide
				}
				broken = base != nil && unparsable(base)
			}
			h.Old, h.Fresh = broken, !broken
		}
	}
}

// baseFile is the file as it was on base, under its head path; nil when it
// cannot be had.
func baseFile(req Request, f *engine.File) *engine.File {
	src, err := req.Base(f.BasePath())
	if err != nil || len(src) > engine.MaxFile {
		return nil
	}
	return req.File(f.FileChange, engine.Decode(src))
}

// unparsable reports files that the parsers in this binary reject.
func unparsable(f *engine.File) bool {
	switch f.Language {
	case "javascript", "typescript":
		hits, err := javascript.Esbuild.Run(context.Background(), &engine.Pass{Files: []*engine.File{f}})
		return err == nil && slices.ContainsFunc(hits, engine.Hit.Breaks)
	case "go":
		_, err := parser.ParseFile(token.NewFileSet(), "", f.Source, parser.SkipObjectResolution)
		return err != nil
	}
	o, ok := f.Outline()
	return ok && o.Broken
}

// errorKey is a compile error without its place, which moves.
func errorKey(path string, h engine.Hit) string { return path + "\x00" + h.Message }

// compiledOnBase has go vet look at the base version of the packages in which
// head has compile errors, through an overlay over the checkout, and gives the
// errors that stood there. Nil is that nobody could look.
func compiledOnBase(ctx context.Context, req Request, t *engine.Tree, slots []*slot) map[string]bool {
	i := slices.IndexFunc(slots, func(s *slot) bool {
		return s.engine.Name == golang.Govet.Name && s.row.State == "ran" && slices.ContainsFunc(s.hits, finding.Reported.Breaks)
	})
	if i < 0 {
		return nil
	}
	s := slots[i]
	files := baseFiles(req, t, slices.DeleteFunc(slices.Clone(s.hits), func(h finding.Reported) bool { return !h.Breaks() }))
	if len(files) == 0 {
		return nil
	}
	dir, remove, err := layOut(req.TempDir, nil, func(dir string) map[string][]byte { return overlay(req, dir) })
	defer remove()
	if err != nil {
		return nil
	}
	pass := &engine.Pass{AbsRoot: req.ExecRoot, Files: files, Base: true, Overlay: filepath.Join(dir, overlayName), Subject: req.Subject, Hands: req.Hands, Tree: t}
	hits, _, err := guard(ctx, req.Timeout, s.engine, pass)
	if err != nil {
		return nil
	}
	stood := map[string]bool{}
	for _, h := range hits {
		p, ok := req.laidOut(dir, h.Path)
		if !ok {
			p, ok = req.Relative(h.Path)
		}
		if ok && h.Breaks() {
			stood[errorKey(p, h)] = true
		}
	}
	return stood
}

// laidOut says which file of head has its base version at a path below dir, as the go
// command prints it: from the root or from the checkout, whichever is shorter.
func (r Request) laidOut(dir, printed string) (string, bool) {
	if !filepath.IsAbs(printed) {
		printed = filepath.Join(r.ExecRoot, filepath.FromSlash(printed))
	}
	rel, err := filepath.Rel(filepath.Join(dir, "base"), printed)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	for _, f := range r.Change.Files {
		if f.BasePath() == rel && f.Status != qa.Added {
			return f.Path, true
		}
	}
	return rel, true
}

const overlayName = "overlay.json"

// overlay lists what the go command shall read in place of the files of head:
// base's content laid out in dir, and nothing for what base did not have.
func overlay(req Request, dir string) map[string][]byte {
	content, replace := map[string][]byte{}, map[string]string{}
	roots := []string{req.ExecRoot}
	if real, err := filepath.EvalSymlinks(req.ExecRoot); err == nil && real != req.ExecRoot {
		roots = append(roots, real)
	}
	put := func(name, with string) {
		for _, root := range roots {
			replace[filepath.Join(root, filepath.FromSlash(name))] = with
		}
	}
	for _, f := range req.Change.Files {
		if f.Language != "go" && !strings.HasSuffix(f.Path, "go.mod") && !strings.HasSuffix(f.Path, "go.sum") {
			continue
		}
		if f.Status != qa.Deleted && (f.Status == qa.Added || f.OldPath != "") {
			put(f.Path, "")
		}
		if f.Status == qa.Added {
			continue
		}
		if src, err := req.Base(f.BasePath()); err == nil {
			name := "base/" + f.BasePath()
			content[name] = src
			put(f.BasePath(), filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	content[overlayName], _ = json.Marshal(map[string]any{"Replace": replace}) // maps of strings always can
	return content
}
