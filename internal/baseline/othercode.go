package baseline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// unbuilt takes back the verdict where tests load what was built of the sources,
// nothing built it of the change, and no changed line of the sources ran.
func (c completeness) unbuilt() {
	for i, run := range c.b.Runs {
		loaded := executor.Bundles(run.Head, run.Target.Framework)
		if len(loaded) == 0 || len(run.Target.Framework.Before) > 0 || c.Touches(loaded...) {
			continue
		}
		for _, f := range c.Change.Files {
			script := f.Language == "typescript" || f.Language == "javascript"
			if script && f.Kind == qa.KindSource && f.Status != qa.Deleted && qa.Below(f.Path, run.Target.Framework.Dir) && !executed(run.Head.Coverage.File(f.Path)) {
				c.b.Runs[i].Head.Inconclusive = cmp.Or(c.b.Runs[i].Head.Inconclusive, fmt.Sprintf("the tests load %s, which nothing built of the changed %s; name the command that builds it in setup-command", loaded[0], f.Path))
			}
		}
	}
}

func executed(f *qa.FileCoverage) bool {
	return f != nil && f.LineCount != nil && f.LineCount.Covered > 0
}

// stale takes back the verdict where tests loaded something that is older than a
// changed file it may be built of: whatever built it, it did not build the
// change. A checkout gives the files of a change the time at which it wrote them.
func (c completeness) stale() {
	for i, run := range c.b.Runs {
		d := run.Target.Framework
		for _, f := range c.Change.Files {
			if f.Kind == qa.KindTest || f.Status == qa.Deleted || !qa.Below(f.Path, d.Dir) || slices.Contains(run.Head.Seen.Compiled, f.Path) {
				continue
			}
			info, err := c.Stat(f.Path)
			if err != nil {
				continue
			}
			why := ""
			at := slices.IndexFunc(run.Head.Seen.Artifacts, func(a adapter.Artifact) bool {
				if !a.MadeOf(f.Path, f.Language) || c.Touches(a.Path) {
					return false
				}
				switch {
				case a.OlderThan(info.ModTime()):
					why = "is older than the changed " + f.Path
				case c.leftAsTracked(a):
					why = "git has as it was before " + f.Path + " changed"
				}
				return why != ""
			})
			if at < 0 {
				continue
			}
			a := run.Head.Seen.Artifacts[at]
			why = fmt.Sprintf("the tests load %s, which %s: it was not built of the change", a.Path, why)
			if remake := framework.Remake(a, c.Root, d); remake != "" {
				why += "; run: " + remake
			} else {
				why += "; name the command that builds it in setup-command"
			}
			c.b.Runs[i].Head.Inconclusive = cmp.Or(c.b.Runs[i].Head.Inconclusive, why)
			break
		}
	}
}

// leftAsTracked reports whether an artifact is the one that git has, and the run
// did not write it: its time then is that of the checkout and tells nothing of
// when it was built.
func (c completeness) leftAsTracked(a adapter.Artifact) bool {
	info, err := c.Stat(a.Path)
	if c.Content == nil || err != nil || !info.Mode().IsRegular() || !info.ModTime().Truncate(time.Second).Equal(a.Modified.Truncate(time.Second)) {
		return false
	}
	tracked, err := c.Content(context.Background(), c.Change.Head, a.Path)
	return err == nil && bytes.Equal(tracked, c.Text(a.Path))
}

// elsewhere takes back the verdict where tests take a package of the repository,
// of which the change wrote a file, from another place, and no target is built
// of that file.
func (c completeness) elsewhere(shown ranTests) {
	for i, run := range c.b.Runs {
		for _, e := range run.Head.Seen.Elsewhere {
			at := slices.IndexFunc(c.Change.Files, func(f qa.FileChange) bool {
				return !e.Same && (f.Kind == qa.KindSource || e.Unused) && qa.Below(f.Path, e.Dir) && !shown.compiled[f.Path]
			})
			if at < 0 || e.Unused && c.b.loads(e.Dir) {
				continue
			}
			why := fmt.Sprintf("the tests use %s instead of the repository's %s, which has the changed file %s", e.At, e.Dir, c.Change.Files[at].Path)
			if e.Unused {
				why = fmt.Sprintf("nothing of %s was imported, which has the changed file %s, and %s answers to its name", e.Dir, c.Change.Files[at].Path, e.At)
			}
			c.b.Runs[i].Head.Inconclusive = cmp.Or(c.b.Runs[i].Head.Inconclusive, why+"; run: "+e.Mend)
		}
	}
}

// loads reports whether some target loaded code of a package of the repository.
func (b *Baseline) loads(dir string) bool {
	return slices.ContainsFunc(b.Runs, func(run executor.Baseline) bool {
		return slices.ContainsFunc(run.Head.Seen.Loaded, func(f string) bool { return qa.Below(f, dir) })
	})
}
