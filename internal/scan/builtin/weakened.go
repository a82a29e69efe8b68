package builtin

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Weakened holds the tests of the change against what they were on base: one that
// asserts less lets pass what it would have noticed.
var Weakened = engine.Engine{
	Name:         "weakened-test",
	Perspectives: []qa.Perspective{qa.TestCoverage},
	Compares:     true,
	Run:          runWeakened,
}

// maxRevisions bounds the files whose base is read. A larger change moves more than
// can be followed, and nothing is said of its tests.
const maxRevisions = 300

func runWeakened(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	switch {
	case p.Subject.Weakened == nil || p.Subject.Base == nil || p.Subject.Change.All:
		return nil, engine.SkipError("there is no base to compare tests with")
	case len(p.Subject.Change.Files) > maxRevisions:
		return nil, engine.SkipError(fmt.Sprintf("more than %d files changed", maxRevisions))
	}
	// All files of the change, whoever's they are to scan: a test may have moved there.
	var tests, product []qa.FileChange
	old := false
	for _, f := range p.Subject.Change.Files {
		switch {
		case f.Binary || f.Submodule:
		case f.Kind == qa.KindTest || language.Recorded(f.Path):
			tests = append(tests, f)
			old = old || f.Status != qa.Added
		case f.Kind == qa.KindSource && !f.Generated:
			product = append(product, f)
			if language.Of(f.Path).HasInline(f.Path) { // its tests stand in it
				tests = append(tests, f)
				old = old || f.Status != qa.Added
			}
		}
	}
	if !old {
		return nil, engine.SkipError("no test of base changed")
	}
	before, after := revisions(ctx, p, tests), revisions(ctx, p, product)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c := &checker{tree: p.Tree, outline: p.Subject.Outline, read: map[string]*engine.File{}}
	var hits []engine.Hit
	for _, w := range p.Subject.Weakened(before, after) {
		if w.Rule != "test-removed" || c.exists(w, before) {
			hits = append(hits, weakenedHit(w))
		}
	}
	var now []*engine.File
	for _, f := range tests {
		if file := p.Tree.ByPath[f.Path]; file != nil && f.Kind == qa.KindTest {
			now = append(now, file)
		}
	}
	return hits, engine.Unread(now)
}

// revisions reads both versions of files; one that cannot be read is left out.
func revisions(ctx context.Context, p *engine.Pass, files []qa.FileChange) []qa.Revision {
	var out []qa.Revision
	for _, f := range files {
		r := qa.Revision{Path: f.Path, OldPath: f.OldPath}
		if f.Status != qa.Added && f.Status != qa.Copied {
			raw, err := p.Subject.Base(f.BasePath())
			if err != nil || ctx.Err() != nil {
				continue
			}
			r.Before = engine.Decode(raw)
		}
		if f.Status != qa.Deleted {
			raw := p.Tree.Content(f.Path)
			if raw == nil {
				continue
			}
			r.After = engine.Decode(raw)
		}
		out = append(out, r)
	}
	return out
}

// exists reports that something which a test called that is gone is still there, where
// the test's own file looks for it.
func (c *checker) exists(w qa.Weakening, files []qa.Revision) bool {
	i := slices.IndexFunc(files, func(r qa.Revision) bool { return r.Path == w.Path })
	if i < 0 || c.outline == nil {
		return false
	}
	at := files[i].Path
	if files[i].OldPath != "" {
		at = files[i].OldPath
	}
	f := engine.NewFile(qa.FileChange{Path: at, Language: language.Of(at).Name}, files[i].Before, c.outline)
	for _, name := range c.subjects(f) {
		other := c.open(name, f.Language)
		if other == nil {
			continue
		}
		o, ok := other.Outline()
		if ok && slices.ContainsFunc(o.Functions, func(fn qa.Function) bool {
			return !fn.Test && slices.ContainsFunc(strings.Split(fn.Name, "."), func(part string) bool { return slices.Contains(w.Calls, part) })
		}) {
			return true
		}
	}
	return false
}

// subjects are the files that a test file may be about: what it imports, and its package.
func (c *checker) subjects(f *engine.File) []string {
	var out []string
	if o, ok := f.Outline(); ok {
		for _, im := range o.Imports {
			out = append(out, places(f, im)...)
		}
	}
	if f.Language == "go" {
		entries, err := fs.ReadDir(c.tree.Root.FS(), path.Dir(f.Path))
		if err != nil {
			return nil
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
				out = append(out, path.Join(path.Dir(f.Path), e.Name()))
			}
		}
	}
	return out
}

// weakenedHit says in words what a test lost.
func weakenedHit(w qa.Weakening) engine.Hit {
	name := "the tests of this file"
	if w.Test != "" {
		name = "the test " + quoted(w.Test)
	}
	h := engine.Hit{Rule: "weakened-test/" + w.Rule, Path: w.Path, Lines: w.Lines, Suggestion: "Put back what it asserted, or say in the change why that need not hold any more."}
	switch w.Rule {
	case "assertion-removed":
		h.Message = fmt.Sprintf("%s lost an assertion: %s.", name, quoted(w.Before))
	case "case-removed":
		h.Message = fmt.Sprintf("%s lost a case: %s.", name, quoted(w.Before))
	case "test-removed":
		h.Message = fmt.Sprintf("%s is gone, and what it called is still there. It asserted %s.", name, quoted(w.Before))
	case "skipped":
		h.Message = fmt.Sprintf("%s ran on base and does not any more, or may fail: %s.", name, quoted(w.After))
		h.Suggestion = "Let it run, or say in the change why it cannot."
	case "failure-swallowed":
		h.Message = fmt.Sprintf("%s does not fail any more where it should: %s.", name, quoted(w.After))
	case "assertion-unreached":
		h.Message = fmt.Sprintf("%s may pass without what it asserted: %s now stands behind %s.", name, quoted(w.Before), quoted(w.After))
	case "subject-replaced":
		h.Message = fmt.Sprintf("%s asserts %s of a stand-in that it defines by itself: %s.", name, quoted(w.Before), quoted(w.After))
	case "notices-less":
		h.Message = fmt.Sprintf("%s was written anew and lets something pass that it noticed on base.", name)
		h.Suggestion = "Assert what it asserted, or say in the change why that need not hold any more."
	case "retried":
		h.Message = fmt.Sprintf("%s may now fail before they count: %s.", name, quoted(w.After))
		h.Suggestion = "Find out why it fails at times."
	case "snapshot-rerecorded":
		h.Message = fmt.Sprintf("What was expected was recorded anew in the change that altered the code; it was %s.", quoted(w.Before))
		h.Suggestion = "Read the difference: whatever the code does now is what is expected of it."
	default:
		h.Message = fmt.Sprintf("%s asserts less than before: %s became %s.", name, quoted(w.Before), quoted(w.After))
	}
	h.Message = strings.ToUpper(h.Message[:1]) + h.Message[1:]
	return h
}

func quoted(text string) string { return `"` + wording.Line(text, 200) + `"` }
