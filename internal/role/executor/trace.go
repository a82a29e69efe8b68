package executor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime"
)

// Bounds of what a run tells of itself.
const (
	maxTrace   = 64 << 20 // bytes of one answer
	maxTraces  = 512      // answers, one for each process
	traceLimit = 2 * time.Minute
)

// trace notes which files the tests were made of. What cannot be found out stays
// unknown; an error is a cancellation.
func (r *Run) trace(ctx context.Context, tr *adapter.Trace, tree Tree, t Target, out string) error {
	var answers [][]byte
	if tr.Files != "" {
		_ = eachIn(tree, out, tr.Files, func(root *os.Root, name string) error {
			if len(answers) == maxTraces {
				return nil
			}
			f, err := root.Open(name)
			if err != nil {
				return nil
			}
			defer func() { _ = f.Close() }()
			var data bytes.Buffer
			if _, err := copyLocal(tree, &data, io.LimitReader(f, maxTrace)); err == nil {
				answers = append(answers, data.Bytes())
			}
			return nil
		})
	}
	var argv []string
	if tr.Argv != nil {
		argv = tr.Argv(tree.Dir(), t.Framework)
	}
	if argv != nil {
		res, err := tree.Run(ctx, runtime.Command{Argv: argv, Dir: t.Framework.Dir, Env: t.Framework.Env, Script: t.script(), Timeout: traceLimit, MaxOutput: maxTrace})
		if ctx.Err() != nil {
			return fmt.Errorf("ask what the tests of %s are made of: %w", t.Name, context.Cause(ctx))
		}
		if err == nil && !res.Truncated {
			answers = append(answers, res.Stdout)
		}
	}
	loads := tr.Read(tree.Dir(), t.Framework, answers)
	r.Seen.Loaded, r.Seen.Compiled, r.Seen.Steers, r.Seen.Executed = loads.Loaded, loads.Compiled, loads.Steers, loads.Executed
	r.Seen.Elsewhere = append(r.Seen.Elsewhere, loads.Elsewhere...)
	r.Seen.Artifacts = append(r.Seen.Artifacts, loads.Artifacts...)
	return nil
}

// reads notes what was opened since [watch]. A suite whose own test files do
// not seem to have been opened shows that opening leaves no trace here.
func (r *Run) reads(ctx context.Context, tree Tree, d adapter.Detection, copies []runtime.Elsewhere) error {
	seen, err := tree.Reads(ctx)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("look at what the tests opened: %w", context.Cause(ctx))
	case err != nil:
		r.Seen.NoReads = err.Error()
		return nil
	case !seen.Known:
		r.Seen.NoReads = seen.Why
		return nil
	}
	for _, e := range copies { // Node.js reads a package's manifest before its code
		if slices.Contains(seen.Extra, manifest(e)) && (e.Imported || !ownCode(seen.Opened, d)) {
			r.Seen.Elsewhere = append(r.Seen.Elsewhere, adapter.Elsewhere{Name: e.Name, At: e.At, Mend: "rm -r '" + e.At + "' && npm install"})
		}
	}
	unopened := each.Set(seen.Unopened)
	if c, ok := each.First(r.Suite.Cases, func(c qa.Case) bool { return unopened[c.File] && c.Status != qa.Skipped }); ok {
		r.Seen.NoReads = "opening files leaves no trace here: " + c.File + " ran and does not seem to have been opened"
		return nil
	}
	r.Seen.Opened, r.Seen.Unopened, r.Seen.Built = seen.Opened, seen.Unopened, seen.Built
	for _, name := range seen.Built {
		if adapter.Generated(name) {
			r.Seen.Artifacts = append(r.Seen.Artifacts, adapter.ArtifactAt(tree.Dir(), name))
		}
	}
	for _, name := range seen.Opened { // git need not ignore what a build leaves
		if adapter.MachineCode(name) {
			r.Seen.Artifacts = append(r.Seen.Artifacts, adapter.ArtifactAt(tree.Dir(), name))
		}
	}
	return nil
}

// ownCode reports whether a suite opened code of its own package that is no test: one
// that took the package from elsewhere would have no need of it.
func ownCode(opened []string, d adapter.Detection) bool {
	how, err := framework.For(d.Framework)
	return err == nil && slices.ContainsFunc(opened, func(name string) bool {
		l := language.Of(name)
		return l.Name != "" && !language.IsConfiguration(name) && qa.Below(name, d.Dir) && !how.IsTest(name) &&
			!slices.ContainsFunc(testFolders[1:], func(dir string) bool { return qa.Below(name, path.Join(d.Dir, dir)) })
	})
}

func manifest(e runtime.Elsewhere) string { return path.Join(e.At, "package.json") }

// testFolders are where tests may have a package.json of their own, which keeps
// Node.js from taking the package's name for the repository's own.
var testFolders = []string{"", "test", "tests", "__tests__", "spec"}

// watch begins to notice what is opened, among it the installed copies of the
// repository's own packages, which it gives.
func watch(ctx context.Context, tree Tree, t Target) ([]runtime.Elsewhere, error) {
	var copies []runtime.Elsewhere
	var extra []string
	if adapter, err := framework.For(t.Framework.Framework); err == nil && adapter.Habits.OwnPackages {
		dirs := each.Of(testFolders, func(below string) string { return path.Join(t.Framework.Dir, below) })
		for _, e := range tree.OwnElsewhere(dirs...) {
			if e.At != "" {
				copies, extra = append(copies, e), append(extra, manifest(e))
			}
		}
	}
	if err := tree.MarkReads(ctx, extra...); err != nil && ctx.Err() != nil {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	return copies, nil // reads say why they know nothing
}
