package impact

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// goLooks are the ways in which a test looks beyond its own folder, or starts programs,
// goBelow those in which it may look at what lies below it, goEmbeds how any code holds
// what lies below it, and goRuns those in which code of the product runs the tool of Go or
// reads sources as texts.
var goLooks = pattern.New(`"\.\.|/\.\./|\bexec\.Command|\bruntime\.Caller\b|\bpackages\.Load\b|\bos\.Getwd\b|\bplugin\.Open\b|\bbuild\.Import|\bimporter\.|//go:linkname|\bparser\.Parse(?:Dir|File)\b|\bos\.(?:DirFS|Chdir)\b|\bt\.Chdir\b`)
var (
	goBelow  = pattern.New(`\b(?:os|ioutil|fs|filepath)\.[A-Z]|"\./|"\."|\.\.\."|//go:embed`)
	goEmbeds = pattern.New(`//go:embed`)
	goRuns   = pattern.New(`(?s)\bexec\..*"go"|"go".*\bexec\.|\bparser\.Parse(?:Dir|File)\b|\bpackages\.Load\b|\bbuild\.(?:Import|Default\.Import)|\bimporter\.`)
)

// goPackage is one package of the listing.
type goPackage struct {
	dir   string          // relative to the root, slash separated; empty is elsewhere
	built map[string]bool // by import path, of its tests too
	own   []string        // files, without their folder
	tests []string
	deps  []string // of the product
	used  bool     // the product is built of it
	named bool     // by the suite, which builds it whether it has tests or not
}

// Listing is what go list said of packages, in the words of the adapter of Go, in a copy of a
// checkout.
type Listing struct{ Root, Tree, Text string }

// packages reads the listing.
func (l Listing) packages() map[string]*goPackage {
	all := map[string]*goPackage{}
	at := func(name string) *goPackage {
		if all[name] == nil {
			all[name] = &goPackage{built: map[string]bool{name: true}}
		}
		return all[name]
	}
	for line := range strings.Lines(l.Text) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 7 {
			continue
		}
		name, _, _ := strings.Cut(f[0], " ") // "p [p.test]"
		p := at(strings.TrimSuffix(name, ".test"))
		if f[1] != "" {
			p = at(f[1])
		} else if rel, err := filepath.Rel(l.Tree, f[2]); err == nil && filepath.IsLocal(rel) && !strings.HasSuffix(name, ".test") { // whose main is made
			p.dir = filepath.ToSlash(rel)
			p.named = p.named || f[6] == "false"
			p.own, p.tests = append(p.own, strings.Fields(f[3])...), append(p.tests, strings.Fields(f[4])...)
		}
		product := f[1] == "" && !strings.HasSuffix(name, ".test")
		for _, dep := range strings.Fields(f[5]) {
			p.built[dep] = true
			if product {
				p.deps = append(p.deps, dep)
			}
		}
	}
	markUsed(all)
	return all
}

// markUsed marks what the product is built of: all that a package is built of which no
// other one imports, not even for its tests. What only helpers of tests import is there
// for tests, too.
func markUsed(all map[string]*goPackage) {
	imported := map[string]bool{}
	for name, p := range all {
		for dep := range p.built {
			imported[dep] = imported[dep] || dep != name
		}
	}
	for name, p := range all {
		for _, dep := range p.deps {
			if d := all[dep]; d != nil && !imported[name] {
				d.used = true
			}
		}
	}
}

// Packages selects the packages of Go that a change can reach.
func Packages(l Listing, c Change, units []string) Selection {
	all := l.packages()
	files, why := c.plain(func(name string) bool { return path.Ext(name) == ".go" })
	reached := map[string]bool{}
	for _, f := range files {
		found := false
		for name, p := range all {
			if p.dir != path.Dir(f.Path) {
				continue
			}
			found = true
			if f.Kind == qa.KindTest && strings.HasSuffix(f.Path, "_test.go") { // no other package has it
				reached[name] = true
				continue
			}
			for _, unit := range units {
				if u := all[unit]; u == nil || u.built[name] {
					reached[unit] = true
				}
			}
		}
		if !found && why == "" && !c.apart(f) {
			why = none(f.Path)
		}
	}
	if why != "" {
		return Selection{All: why}
	}
	s := c.chosen(choose(units, reach{units: reached}, l.doubted(all, files, units)))
	if len(s.Units) > 0 {
		s.Units = slices.Concat(s.Units, builds(all, files, units))
	}
	return s
}

// builds are the packages without a test that are built of what changed: go test builds
// those, too.
func builds(all map[string]*goPackage, files []qa.FileChange, units []string) (out []string) {
	tested := each.Set(units)
	for name, p := range all {
		if p.named && !tested[name] && slices.ContainsFunc(files, func(f qa.FileChange) bool {
			return p.dir == path.Dir(f.Path) || !strings.HasSuffix(f.Path, "_test.go") && slices.ContainsFunc(slices.Collect(maps.Keys(p.built)), func(dep string) bool { return all[dep] != nil && all[dep].dir == path.Dir(f.Path) })
		}) {
			out = append(out, name)
		}
	}
	return each.Sorted(out)
}

// doubted are the units whose tests may look beyond their package, or are built with what
// may.
func (l Listing) doubted(all map[string]*goPackage, files []qa.FileChange, units []string) map[string]bool {
	doubted := map[string]bool{}
	runs := map[string]bool{} // of the product
	below := func(p *goPackage) bool {
		return slices.ContainsFunc(files, func(f qa.FileChange) bool { return path.Dir(f.Path) != p.dir && qa.Below(f.Path, p.dir) })
	}
	for name, p := range all {
		runs[name] = p.dir != "" && (l.says(p, p.own, goRuns) || below(p) && l.says(p, p.own, goEmbeds))
	}
	for _, unit := range units {
		u := all[unit]
		if u == nil {
			doubted[unit] = true
			continue
		}
		doubted[unit] = l.says(u, u.tests, goLooks) || below(u) && l.says(u, u.tests, goBelow)
		for name, p := range all { // what tests alone are built of
			switch {
			case doubted[unit] || !u.built[name]:
			case runs[name]:
				doubted[unit] = true
			case !p.used && p.dir != "" && name != unit:
				doubted[unit] = l.says(p, p.own, goLooks) || below(u) && l.says(p, p.own, goBelow)
			}
		}
	}
	return doubted
}

// says reports whether files of a package match, or one of them cannot be read.
func (l Listing) says(p *goPackage, files []string, what *pattern.Pattern) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		src, err := rooted.ReadIn(l.Root, path.Join(p.dir, file), maxFile)
		return err != nil || what.Match(src)
	})
}
