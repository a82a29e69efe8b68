package baseline

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// completeness holds what ran against what there is to run, and takes back the
// verdict of every target of which a part that could see the change was left
// out.
type completeness struct {
	checkout.Checkout
	within    string // the directory that the run is about
	b         *Baseline
	inSources bool // folders among sources count that are called as samples are
}

// ranTests is what the reports and traces show of test files.
type ranTests struct {
	cases    map[string]bool // a case of it is in a report
	compiled map[string]bool // go test built it
	broken   map[string]bool // it failed outside of tests, and no case of it is in a report
	// built are those of the cases' files that git ignores: a compiler wrote them.
	built   []adapter.Artifact
	stat    func(file string) (fs.FileInfo, error)
	through []*through // of each run
	// blind says that for some target neither cases nor openings are known.
	blind bool
}

func (c completeness) ranFiles() ranTests {
	b := c.b
	out := ranTests{cases: map[string]bool{}, compiled: map[string]bool{}, broken: map[string]bool{}, stat: c.Stat}
	for _, run := range b.Runs {
		with := 0
		for _, c := range run.Tests.Cases {
			if c.File != "" {
				out.cases[c.File] = true
				with++
			}
		}
		out.through = append(out.through, &through{text: c.Text, opened: run.Head.Seen.Opened, cases: run.Tests.Cases})
		named := 2*with > len(run.Tests.Cases) // TAP names the files of tests that fail
		for _, p := range run.Tests.Problems { // it was looked at, and broke
			out.broken[p.Where] = out.broken[p.Where] || !out.cases[p.Where]
			out.cases[p.Where] = true
		}
		maps.Copy(out.compiled, each.Set(run.Head.Seen.Compiled))
		for _, a := range run.Head.Seen.Artifacts {
			if out.cases[a.Path] {
				out.built = append(out.built, a)
			}
		}
		if !named && run.Head.Seen.NoReads != "" {
			out.blind = true
		} else if !named && !run.Head.Seen.Shared { // the report names few files, and nobody else opened some
			maps.Copy(out.cases, each.Set(run.Head.Seen.Opened))
		}
	}
	return out
}

// has reports whether a test file took part in what ran.
func (s ranTests) has(file string) bool {
	if path.Ext(file) == ".go" {
		return s.compiled[file] || s.cases[file]
	}
	if s.cases[file] || slices.ContainsFunc(s.through, func(t *through) bool { return t.shows(file) }) {
		return true
	}
	if len(s.built) == 0 {
		return false
	}
	info, err := s.stat(file)
	return err == nil && adapter.CompiledOf(s.built, file, info.ModTime())
}

// judge is called once, when all targets have run.
func (c completeness) judge() {
	shown := c.ranFiles()
	c.changedTests(shown) // the change's own files are the better reason
	c.elsewhere(shown)
	c.unbuilt()
	c.stale()
	for dir, at := range c.b.byDir() {
		if !leftOut(c.b) {
			c.broke(dir, at, shown)
			c.partial(dir, at, shown)
		}
	}
}

// byDir are the runs of each directory, by their place in b.Runs.
func (b *Baseline) byDir() map[string][]int {
	out := map[string][]int{}
	for i, run := range b.Runs {
		out[run.Target.Framework.Dir] = append(out[run.Target.Framework.Dir], i)
	}
	return out
}

// partial takes back the verdict of targets most of whose test files are in no
// report: the suite is larger than what ran.
func (c completeness) partial(dir string, at []int, shown ranTests) {
	if shown.blind {
		return
	}
	files := c.findTests(dir, func(name string) bool { return c.b.owns(name, dir) })
	missing := slices.DeleteFunc(slices.Clone(files.tests), shown.has)
	if !files.complete || len(files.tests) == 0 || 2*len(missing) <= len(files.tests) {
		return
	}
	for _, i := range at {
		c.b.Runs[i].Head.Inconclusive = cmp.Or(c.b.Runs[i].Head.Inconclusive, fmt.Sprintf("%d of %d files with tests are in no report: %s; name the whole suite in test-command",
			len(missing), len(files.tests), some(missing)))
	}
}

// broke takes it back where tests that load what changed were kept from running: something
// failed outside of tests, such as the loading of their file.
func (c completeness) broke(dir string, at []int, shown ranTests) {
	i := slices.IndexFunc(at, func(i int) bool { return c.b.Runs[i].Head.Broke() != "" })
	if i < 0 || shown.blind {
		return
	}
	c.inSources = true
	missing := slices.DeleteFunc(c.findTests(dir, func(name string) bool { return c.b.owns(name, dir) }).tests, func(file string) bool { return shown.has(file) && !shown.broken[file] })
	if h, lost := &c.b.Runs[at[i]].Head, impact.Reached(c.Root, c.Change.Files, missing); len(lost) > 0 && h.Inconclusive == "" {
		h.Inconclusive = "not run, although what changed is loaded there: " + some(lost) + "; " + h.Broke()
	}
}

// owns reports whether a file is a test of the targets of a directory and of no
// target below it; end-to-end tests are not asked for.
func (b *Baseline) owns(name, dir string) bool {
	is := false
	for _, t := range b.Targets {
		d := t.Framework.Dir
		if d != dir && qa.Below(d, dir) && qa.Below(name, d) {
			return false
		}
		adapter, err := framework.For(t.Framework.Framework)
		is = is || err == nil && d == dir && adapter.IsTest(name)
	}
	return is && executor.LayerOf(qa.Case{File: name}) != qa.L3
}

// changedTests takes back the verdict where a test file that the change wrote
// did not run, or where nothing ran of a package that has tests.
func (c completeness) changedTests(shown ranTests) {
	if shown.blind {
		return
	}
	lost, packages := map[string][]string{}, packages{folder.NewPackages(c.Root), map[[2]string]bool{}}
	for _, f := range c.Change.Files {
		moved := c.movedAway(f)
		if f.Status == qa.Deleted || f.Binary || f.Submodule || !qa.Below(f.Path, c.within) || folder.Aside(f.Path) && !moved {
			continue
		}
		switch {
		case moved && !shown.has(f.Path):
			target, _ := c.b.Of(f.Path)
			lost[target.Name] = append(lost[target.Name], "the changed test file "+f.Path+" (it was "+f.OldPath+")")
		case f.Kind == qa.KindTest:
			c.changedTest(f.Path, shown, lost)
		case f.Kind == qa.KindSource:
			if !leftOut(c.b) { // the tests that reach it ran, wherever they are
				c.changedPackage(f.Path, packages, shown, lost)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		c.b.takeBack(name, "not run: "+some(lost[name]))
	}
}

// movedAway reports whether a file has tests under another name than before, and what ran
// under that one is gone. What the suite loads from there is none.
func (c completeness) movedAway(f qa.FileChange) bool {
	return f.Status == qa.Renamed && framework.DefinesTests(f.OldPath, c.Text(f.Path)) && slices.ContainsFunc(c.b.Runs, func(run executor.Baseline) bool {
		return !slices.Contains(run.Head.Seen.Loaded, f.Path) && slices.ContainsFunc(run.Tests.Removed, func(id string) bool {
			return strings.HasPrefix(id, f.OldPath+" > ") || run.Base != nil && slices.ContainsFunc(run.Base.Suite.Cases, func(k qa.Case) bool { return k.File == f.OldPath && k.ID() == id })
		})
	})
}

func (c completeness) changedTest(file string, shown ranTests, lost map[string][]string) {
	src := c.Text(file)
	adapter := framework.Command
	target, ok := c.b.Of(file)
	if ok {
		if a, err := framework.For(target.Framework.Framework); err == nil {
			adapter = a
		}
	}
	if src == nil || !adapter.IsTest(file) || !framework.DefinesTests(file, src) || shown.has(file) {
		return
	}
	if framework.DrivesBrowser(src) {
		c.b.Unrun = append(c.b.Unrun, file+" was not run (it drives a browser)")
		return
	}
	if here, why := golang.RunsHere(file, src); !here && strings.HasPrefix(why, "other platform") {
		c.b.Unrun = append(c.b.Unrun, fmt.Sprintf("%s was not run (%s)", file, why))
		return
	}
	lost[target.Name] = append(lost[target.Name], "the changed test file "+file)
}

// packages are those of a change's files, and which of them were looked at.
type packages struct {
	folder.Packages
	seen map[[2]string]bool // target and folder
}

// changedPackage looks for tests beside a changed file of the product, in its
// own package, of which none ran.
func (c completeness) changedPackage(file string, all packages, shown ranTests, lost map[string][]string) {
	dir := all.Of(file)
	target, ok := c.b.Of(file)
	at := [2]string{target.Name, dir}
	if ok && target.Framework.Dir == dir || !ok && dir == "" || all.seen[at] {
		return // its directory is a target's own, which is looked at as a whole
	}
	all.seen[at] = true
	files := c.findTests(cmp.Or(dir, "."), func(name string) bool {
		return framework.Command.IsTest(name) && all.Of(name) == dir && executor.LayerOf(qa.Case{File: name}) != qa.L3
	})
	if len(files.tests) > 0 && !slices.ContainsFunc(files.tests, shown.has) {
		lost[target.Name] = append(lost[target.Name], "the tests of the changed package "+cmp.Or(dir, "."))
	}
}

// takeBack takes back the verdict of a target; one that there is none of becomes a
// row of its own.
func (b *Baseline) takeBack(target, why string) {
	for i := range b.Runs {
		if b.Runs[i].Target.Name == target {
			if ended := b.Runs[i].Head.Ended(); ended != "" {
				why = ended + "; " + why
			}
			b.Runs[i].Head.Inconclusive = cmp.Or(b.Runs[i].Head.Inconclusive, why)
			return
		}
	}
	b.Rows = append(b.Rows, qa.TargetRow{Name: "no target", Dir: ".", State: "inconclusive", Reason: why})
}
