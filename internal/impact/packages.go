package impact

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// goLooks are the ways in which a test looks beyond its own folder, or starts programs.
var goLooks = pattern.New(`"\.\.|/\.\./|\bexec\.Command|\bruntime\.Caller\b|\bpackages\.Load\b|\bos\.Getwd\b|\bplugin\.Open\b|\bbuild\.Import|\bimporter\.|//go:linkname|\bparser\.Parse(?:Dir|File)\b|\bos\.(?:DirFS|Chdir)\b|\bt\.Chdir\b`)

// goPackage is one package of the listing.
type goPackage struct {
	dir   string          // relative to the root, slash separated; empty is elsewhere
	built map[string]bool // by import path, of its tests too
	own   []string        // files, without their folder
	tests []string
	used  bool // the product is built of it
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
		if len(f) != 6 {
			continue
		}
		name, _, _ := strings.Cut(f[0], " ") // "p [p.test]"
		p := at(strings.TrimSuffix(name, ".test"))
		if f[1] != "" {
			p = at(f[1])
		} else if rel, err := filepath.Rel(l.Tree, f[2]); err == nil && filepath.IsLocal(rel) && !strings.HasSuffix(name, ".test") { // whose main is made
			p.dir = filepath.ToSlash(rel)
			p.own, p.tests = append(p.own, strings.Fields(f[3])...), append(p.tests, strings.Fields(f[4])...)
		}
		product := f[1] == "" && !strings.HasSuffix(name, ".test")
		for _, dep := range strings.Fields(f[5]) {
			p.built[dep] = true
			if product {
				at(dep).used = true
			}
		}
	}
	return all
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
	doubted := l.doubted(all, units)
	if why != "" {
		return Selection{All: why}
	}
	return c.chosen(choose(units, reach{units: reached}, doubted))
}

// doubted are the units whose tests may look beyond their package, or are built with what
// may.
func (l Listing) doubted(all map[string]*goPackage, units []string) map[string]bool {
	doubted := map[string]bool{}
	for _, unit := range units {
		doubted[unit] = all[unit] == nil || doubtful(l.Root, all[unit].dir, all[unit].tests)
		for name, p := range all { // what tests alone are built of
			if !doubted[unit] && !p.used && p.dir != "" && name != unit && all[unit].built[name] {
				doubted[unit] = doubtful(l.Root, p.dir, p.own)
			}
		}
	}
	return doubted
}

// doubtful reports whether tests, or what they alone are built of, may look beyond their
// package.
func doubtful(root, dir string, files []string) bool {
	for _, file := range files {
		src, err := rooted.ReadIn(root, path.Join(dir, file), maxFile)
		if err != nil || goLooks.Match(src) {
			return true
		}
	}
	return false
}
