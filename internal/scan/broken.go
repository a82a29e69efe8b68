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
)

// A file that no longer parses is the change's doing, whatever line says so: an
// open quote on a changed line is reported far below it. Lines decide nothing
// about such hits; whether the file parsed on base does.

// breaks reports hits that say that a file is no program at all.
func (h Hit) breaks() bool {
	return slices.Contains([]string{"js/syntax", "py/syntax", "go/compile"}, ruleFor(h).Group)
}

// markBroken decides about the hits that say so. An engine that was run over
// the base file knows by itself; of another one's word (which may only mean
// that it is not set up for the file) a parser of ours must say the same.
func markBroken(ctx context.Context, req Request, t *tree, slots []*slot) {
	compiled := compiledOnBase(ctx, req, t, slots)
	for _, s := range slots {
		for i := range s.hits {
			h := &s.hits[i]
			if !h.breaks() {
				continue
			}
			p, _ := req.relative(h.Path)
			f := t.byPath[p]
			if f == nil || f.Status == qa.Added {
				continue
			}
			broken, known := s.onBase[p]
			if h.Rule == "go/compile" && compiled != nil {
				broken, known = compiled[complaint(p, *h)], true
			}
			if !known {
				base := baseFile(req, f)
				if !unparsable(f) {
					continue // lines decide
				}
				broken = base != nil && unparsable(base)
			}
			h.old, h.fresh = broken, !broken
		}
	}
}

// baseFile is the file as it was on base, under its head path; nil when it
// cannot be had.
func baseFile(req Request, f *File) *File {
	src, err := req.Base(f.BasePath())
	if err != nil || len(src) > maxFile {
		return nil
	}
	return newFile(f.FileChange, decode(src), req.Outline)
}

// unparsable reports files that the parsers in this binary reject.
func unparsable(f *File) bool {
	switch f.Language {
	case "javascript", "typescript":
		hits, err := runEsbuild(context.Background(), &Pass{Files: []*File{f}})
		return err == nil && slices.ContainsFunc(hits, Hit.breaks)
	case "go":
		_, err := parser.ParseFile(token.NewFileSet(), "", f.Source, parser.SkipObjectResolution)
		return err != nil
	}
	o, ok := f.Outline()
	return ok && o.Broken
}

// complaint is a compile error without its place, which moves.
func complaint(path string, h Hit) string { return path + "\x00" + h.Message }

// compiledOnBase has go vet look at the base version of the packages in which
// head has compile errors, through an overlay over the checkout, and gives the
// complaints that stood there. Nil is that nobody could look.
func compiledOnBase(ctx context.Context, req Request, t *tree, slots []*slot) map[string]bool {
	i := slices.IndexFunc(slots, func(s *slot) bool {
		return s.engine.Name == goVet.Name && s.row.State == "ran" && slices.ContainsFunc(s.hits, Hit.breaks)
	})
	if i < 0 {
		return nil
	}
	s := slots[i]
	files := baseFiles(req, t, slices.DeleteFunc(slices.Clone(s.hits), func(h Hit) bool { return !h.breaks() }))
	if len(files) == 0 {
		return nil
	}
	dir, remove, err := layOut(req.TempDir, nil, func(dir string) map[string][]byte { return overlay(req, dir) })
	defer remove()
	if err != nil {
		return nil
	}
	pass := &Pass{AbsRoot: req.ExecRoot, Files: files, Base: true, overlay: filepath.Join(dir, overlayName), req: req, tree: t, row: &qa.Engine{}}
	hits, err := guard(ctx, req.Timeout, s.engine, pass)
	if err != nil {
		return nil
	}
	stood := map[string]bool{}
	for _, h := range hits {
		if p, ok := req.relative(h.Path); ok && h.breaks() {
			stood[complaint(p, h)] = true
		}
	}
	return stood
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
