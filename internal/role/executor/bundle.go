package executor

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// bundled sees to it that what the tests load is made of the change. Some tests
// load a bundle instead of the sources: one that lies there from an earlier
// build has not got the change, and base's copy has none at all. It is built, on
// both sides, and the tests run again.
func (b *Baseline) bundled(ctx context.Context, tree Tree, o BaselineOptions) error {
	d := b.Target.Framework
	loaded := Bundles(b.Head, d)
	if len(d.Before) > 0 { // the test script builds
		b.Head.mapped(tree, loaded)
		return nil
	}
	if len(loaded) == 0 && !lacksBundle(b.Head) {
		return nil
	}
	if len(d.Build) == 0 {
		b.Head.mapped(tree, loaded)
		if ignored := slices.DeleteFunc(loaded, func(f string) bool { return !slices.Contains(b.Head.Seen.Built, f) }); len(ignored) > 0 && b.Head.Inconclusive == "" {
			b.Head.Inconclusive = fmt.Sprintf("the tests load %s, which git ignores, and no script is called build: name the command that makes it in setup-command", ignored[0])
		}
		return nil
	}
	limit, ok := o.next()
	if !ok {
		return nil
	}
	now := b.Target
	now.Framework.Before = d.Build
	why, err := prepare(ctx, tree, now)
	switch {
	case err != nil:
		return err
	case why != "" && len(loaded) > 0:
		b.Head.Inconclusive = fmt.Sprintf("the tests load %s, which is not made of the change: %s", loaded[0], why)
		return nil
	case why != "":
		return nil
	}
	run, err := covered(ctx, tree, now, Options{Name: o.Beside + "head-built", Keep: o.Keep.Join("head-built"), Coverage: !o.Plain, Timeout: limit, Trace: true, Live: o.Live}, o.next)
	if err != nil {
		return fmt.Errorf("run the tests of %s after its build: %w", b.Target.Name, err)
	}
	b.Target, b.Head = now, run
	b.Head.mapped(tree, Bundles(run, d))
	return nil
}

// Bundles are the files that a run opened and that a build has made: those that
// git ignores, and those in folders that the compiler's configuration names.
func Bundles(r Run, d adapter.Detection) []string {
	if adapter, err := framework.For(d.Framework); err != nil || !adapter.Habits.OwnPackages {
		return nil
	}
	var out []string
	for _, f := range r.Seen.Built {
		if isScript(f) && !strings.Contains("/"+f, "/.") && !strings.Contains("/"+f, "/coverage/") {
			out = append(out, f)
		}
	}
	for _, f := range r.Seen.Opened {
		if isScript(f) && slices.ContainsFunc(d.Outputs, func(dir string) bool { return strings.HasPrefix(f, dir+"/") }) {
			out = append(out, f)
		}
	}
	return out
}

func isScript(file string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(file))
}

// missing is how Node.js says that a file of the repository is not there; what lies in the tree
// is told from its root.
var missing = pattern.New(`(?:Cannot find module|ERR_MODULE_NOT_FOUND|Failed to resolve (?:import|entry)|Could not resolve)[^\n]{0,40}['"](?:(?:\.{1,2}/|/)[^'"\n]*(?:dist|build|lib|out|es|esm|cjs)\b|(?:dist|build|lib|out|es|esm|cjs)/)`)

// lacksBundle reports whether tests could not load a file that a build makes.
func lacksBundle(r Run) bool {
	return missing.MatchString(r.Tail) || slices.ContainsFunc(r.Suite.Problems, func(p qa.Problem) bool { return missing.MatchString(p.Message) }) ||
		slices.ContainsFunc(failing(r.Suite), func(c qa.Case) bool { return missing.MatchString(c.Message + "\n" + c.Output) })
}

// handed is a line of a module that has nothing of its own: it loads one and gives it, or parts
// of it, under names. fetched is one that loads.
var (
	handed  = pattern.New(`^\s*(?://.*|(?:["']use strict["']|import\s[^();]*|export\s+(?:default\s+[A-Za-z_$][\w$.]*|(?:const|let|var)\s+[\w$]+\s*=\s*[A-Za-z_$][\w$]*\.[\w$.]+|[*{][^();]*)|(?:const|let|var)\s+[\w$]+\s*=\s*require\(["'][^"']+["']\)|(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*(?:[A-Za-z_$][\w$]*(?:\.[\w$.]+)?|require\(["'][^"']+["']\)(?:\.[\w$]+)?))\s*;?)?\s*$`)
	fetched = pattern.New(`(?m)^\s*(?:import\s|export\s[^;]*\sfrom\s)|\brequire\(`)
)

// maxHanded bounds, in bytes, what is looked at of such a file.
const maxHanded = 64 << 10

// handsOn reports whether what a build made only hands on what other files have, as the module
// that lets an import find what require finds: no source is in it.
func handsOn(tree Tree, file string) bool {
	text, err := rooted.ReadIn(tree.Dir(), file, maxHanded)
	if err != nil || !fetched.Match(text) {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if !handed.MatchString(strings.TrimRight(line, "\r\n")) {
			return false
		}
	}
	return true
}

// mapped takes back coverage that tells of the bundle only: without a source map
// the sources look as if nothing of them ran.
func (r *Run) mapped(tree Tree, loaded []string) {
	loaded = slices.DeleteFunc(slices.Clone(loaded), func(file string) bool { return handsOn(tree, file) })
	if r.Coverage == nil || len(loaded) == 0 {
		return
	}
	itself := slices.ContainsFunc(r.Coverage.Files, func(f qa.FileCoverage) bool {
		return slices.Contains(loaded, f.Path) && f.LineCount != nil && f.LineCount.Covered > 0
	})
	// With a source map its lines would be those of the sources.
	if !itself && slices.ContainsFunc(r.Coverage.Files, func(f qa.FileCoverage) bool {
		return !slices.Contains(loaded, f.Path) && f.LineCount != nil && f.LineCount.Covered > 0 && !framework.Command.IsTest(f.Path)
	}) {
		return
	}
	r.Coverage = nil
	r.CoverageReason = fmt.Sprintf("the tests load %s, which has no source map: what of its sources ran is not known", loaded[0])
}
