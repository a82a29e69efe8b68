package measured

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/wording"
)

// How a report's names become paths, most certain first:
//
//  1. the root itself, the run's directory, the report's sources, a Go module:
//     the path must exist;
//  2. the longest end that a name shares with exactly one path of the tree, as
//     for names from a container;
//  3. where several paths share the end: the one that agrees with how the other
//     files of the report were mapped, or with the report's module name.
//
// What is left is not mapped, and said.

// reading is one name of a report on its way to a path.
type reading struct {
	of    *File
	name  string   // cleaned
	cands []string // paths that share the longest end
	path  string
}

// rule is "from is in truth to", drawn from a name and its path.
type rule struct{ from, to string }

// resolve names every file of the report by its path, "" for none, and gives warnings.
func (t *Tree) resolve(r *Report) (warnings []string) {
	sources := each.Of(r.Sources, slashed)
	var open []reading // most have their path at once
	votes := map[rule]int{}
	for _, f := range r.Order {
		rd := reading{of: f, name: slashed(f.Name)}
		if t.any {
			rd.path = t.keep(rd.name)
		} else if rd.path = t.exact(rd.name, sources); rd.path == "" {
			t.bySuffix(&rd, sources, r.hints[f])
		}
		if rd.path == "" {
			open = append(open, rd)
			continue
		}
		if !t.any {
			votes[ruleOf(rd.name, rd.path)]++
		}
		f.Name = rd.path
	}
	var lost, unclear []string
	for i := range open {
		rd := &open[i]
		name := rd.of.Name
		rd.of.Name = elect(rd, votes)
		switch {
		case rd.of.Name != "":
		case len(rd.cands) > 1:
			unclear = append(unclear, fmt.Sprintf("%q could be %s", clip(name), wording.Some(rd.cands, 3)))
		default:
			lost = append(lost, fmt.Sprintf("%q", clip(name)))
		}
	}
	if len(lost) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %d of %d files are not in the repository and are not counted: %s", r.name, len(lost), len(r.Order), wording.Some(lost, 5)))
	}
	if len(unclear) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %d of %d files could be several of the repository and are not counted: %s", r.name, len(unclear), len(r.Order), wording.Some(unclear, 5)))
	}
	return warnings
}

// keep is the path of a name where there is no repository to look into.
func (t *Tree) keep(name string) string {
	if name = relative(name); name == "" {
		return ""
	}
	return path.Join(t.dir, name)
}

// exact tries what a name says.
func (t *Tree) exact(name string, sources []string) string {
	if absolute(name) {
		return t.under(name)
	}
	for _, s := range sources {
		if absolute(s) {
			if p := t.under(path.Join(s, name)); p != "" {
				return p
			}
		}
	}
	for _, s := range sources {
		if absolute(s) {
			continue
		}
		for _, p := range [...]string{path.Join(t.dir, s, name), path.Join(s, name)} {
			if t.has(p) {
				return p
			}
		}
	}
	if t.dir != "" {
		if p := path.Join(t.dir, name); t.has(p) {
			return p
		}
	}
	if t.has(name) {
		return name
	}
	for _, m := range t.known() {
		if rest, ok := strings.CutPrefix(name, m.path); ok && strings.HasPrefix(rest, "/") {
			p := rest[1:] // clean, as the name is
			if m.dir != "." {
				p = path.Join(m.dir, p)
			}
			if t.has(p) {
				return p
			}
		}
	}
	return ""
}

// under gives the path of an absolute name inside the repository.
func (t *Tree) under(name string) string {
	for _, root := range t.roots {
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(root, "/")+"/"); ok && t.has(rest) {
			return rest
		}
	}
	return ""
}

// bySuffix finds the paths that share the longest end with a name and takes the
// only one.
func (t *Tree) bySuffix(rd *reading, sources []string, hint string) {
	full := rd.name
	if len(sources) == 1 && !absolute(full) && !strings.HasPrefix(full, "../") {
		full = path.Join(sources[0], full)
	}
	parts := strings.Split(strings.Trim(full, "/"), "/")
	for len(parts) > 0 && parts[0] == ".." {
		parts = parts[1:]
	}
	// What lies in a folder of other people's code is not ours because its name
	// ends like one of our files.
	if len(parts) == 0 || slices.ContainsFunc(parts, language.IsInstalled) {
		return
	}
	windows := strings.Contains(rd.name, ":/")
	longest := 1
	for _, cand := range t.ending(strings.ToLower(parts[len(parts)-1])) {
		n := sharedEnd(parts, strings.Split(cand, "/"), windows)
		if n > longest {
			longest, rd.cands = n, rd.cands[:0]
		}
		if n == longest {
			rd.cands = append(rd.cands, cand)
		}
	}
	if len(rd.cands) > 1 {
		rd.cands = narrow(rd.cands, func(p string) bool { return t.dir == "" || strings.HasPrefix(p, t.dir+"/") })
		rd.cands = narrow(rd.cands, func(p string) bool {
			return hint != "" && slices.Contains(strings.Split(p, "/"), hint)
		})
	}
	if len(rd.cands) == 1 && (longest > 1 || longest == len(strings.Split(rd.name, "/"))) {
		rd.path = rd.cands[0]
	}
}

// narrow keeps those that hold, or all if none does.
func narrow(cands []string, holds func(string) bool) []string {
	kept := each.Where(cands, holds)
	if len(kept) == 0 {
		return cands
	}
	return kept
}

// sharedEnd counts the components that two paths have in common at the end.
func sharedEnd(a, b []string, fold bool) int {
	n := 0
	for n < len(a) && n < len(b) {
		x, y := a[len(a)-1-n], b[len(b)-1-n]
		if x != y && !(fold && strings.EqualFold(x, y)) {
			break
		}
		n++
	}
	return n
}

// ruleOf is what differs between a name and its path.
func ruleOf(name, mapped string) rule {
	if from, ok := strings.CutSuffix(name, mapped); ok && (from == "" || strings.HasSuffix(from, "/") && from != "/") {
		return rule{from: strings.TrimSuffix(from, "/")}
	}
	a, b := strings.Split(name, "/"), strings.Split(mapped, "/")
	n := sharedEnd(a, b, true)
	return rule{strings.Join(a[:len(a)-n], "/"), strings.Join(b[:len(b)-n], "/")}
}

// elect settles a name that several paths share an end with, or one path only a
// base name, by how the report's other names were mapped: the candidate must
// follow from their rules alone. Where nothing else was mapped, a single
// candidate is taken.
func elect(rd *reading, votes map[rule]int) string {
	best, most, tied := "", 0, false
	for _, cand := range rd.cands {
		n := 0
		for r, count := range votes {
			if follows(rd.name, cand, r) {
				n += count
			}
		}
		if n > most {
			best, most, tied = cand, n, false
		} else if n == most {
			tied = true
		}
	}
	if best != "" && !tied {
		return best
	}
	if len(rd.cands) == 1 && len(votes) == 0 {
		return rd.cands[0]
	}
	return ""
}

// follows reports whether r makes path of name.
func follows(name, mapped string, r rule) bool {
	rest := name
	if r.from != "" {
		var ok bool
		if rest, ok = strings.CutPrefix(name, r.from+"/"); !ok {
			return false
		}
	}
	return path.Join(r.to, rest) == mapped
}

// clip keeps the end of a long name.
func clip(name string) string {
	if len(name) > 120 {
		return "…" + strings.ToValidUTF8(name[len(name)-120:], "")
	}
	return name
}
