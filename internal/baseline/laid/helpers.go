package laid

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// Helpers are the files of the change that tests have in common, and where the product
// changes as well those with fixtures for them: what works on all tests in such a file is
// configuration.
func (l Look) Helpers(ctx context.Context) []File {
	both := func(f qa.FileChange) (now, was []byte) { return l.Both(ctx, f) }
	written := l.Change
	written.Files = each.Of(l.Change.Files, func(f qa.FileChange) qa.FileChange {
		if f.Status == qa.Renamed {
			f.Status = qa.Modified // it is laid where the tests ask for it now
		}
		return f
	})
	out := each.Of(executor.Shared(written, both, impact.Alone(l.Root, l.since(ctx))), func(f executor.Common) File { return File{FileChange: f.File, Text: f.Text} })
	if len(l.Change.Of(qa.KindSource)) == 0 {
		return out
	}
	for _, f := range l.Change.Files {
		if path.Base(f.Path) != "conftest.py" || f.Submodule || f.Binary || framework.Aside(f.Path) {
			continue
		}
		now, was := both(f)
		text := python.Restored(now, was)
		if bytes.Equal(framework.Configuration(f.Path, now), framework.Configuration(f.BasePath(), was)) && !bytes.Equal(text, now) {
			out = append(out, File{FileChange: f, Text: text})
		}
	}
	return out
}

// since tells of a file that loads another one whether the change had it do so: base's text
// does not say the name of that one, or of its folder in Go.
func (l Look) since(ctx context.Context) func(loader, name string) bool {
	return func(loader, name string) bool {
		f, changed := l.Change.File(loader)
		if !changed {
			return false
		}
		said := strings.TrimSuffix(path.Base(name), path.Ext(name))
		if path.Ext(name) == ".go" {
			said = path.Base(path.Dir(name))
		}
		_, was := l.Both(ctx, f)
		return !bytes.Contains(was, []byte(said))
	}
}
