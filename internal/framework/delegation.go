package framework

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
)

// delegation is a folder whose script runs scripts of the packages below.
type delegation struct {
	dir     string
	scripts []string
	only    []string // the packages, by name or path; empty is all
	before  []script.Leaf
}

// takes reports whether a delegation runs in a package. Where a pattern may be
// read in two ways it chooses more and leaves out less.
func (d delegation) takes(p *project.Project) bool {
	chosen, positive := false, false
	for _, pattern := range d.only {
		if not, ok := strings.CutPrefix(pattern, "!"); ok {
			if calledBy(p, not, d.dir, true) {
				return false
			}
			continue
		}
		positive = true
		chosen = chosen || calledBy(p, pattern, d.dir, false)
	}
	return chosen || !positive
}

// calledBy reports whether a pattern names a package: by its path from dir, or by
// one of its names, with or without the scope. Where sure is set, only what every
// tool reads so counts.
func calledBy(p *project.Project, pattern, dir string, sure bool) bool {
	at, inBraces := strings.CutPrefix(pattern, "{")
	at = strings.TrimSuffix(at, "}")
	isPath, star := inBraces || strings.HasPrefix(at, "."), `.*`
	if sure {
		star = `[^/]*`
	}
	if isPath || !sure {
		below := folder.Beneath(p.Dir, folder.FromDot(dir))
		if matchesGlob(path.Clean(at), below, star) || !strings.Contains(at, "*") && folder.Within(below, path.Clean(at)) {
			return true
		}
	}
	if isPath {
		return false
	}
	for _, name := range namesOf(p) {
		short := name[strings.LastIndexByte(name, '/')+1:]
		if matchesGlob(at, name, star) || !sure && matchesGlob(at, short, star) {
			return true
		}
	}
	return false
}

// namesOf are what the tools call a package.
func namesOf(p *project.Project) []string {
	var out []string
	if p.Pkg != nil && p.Pkg.Name != "" {
		out = append(out, p.Pkg.Name)
	}
	var nx struct {
		Name string `json:"name"`
	}
	if data, ok := p.Read(path.Join(p.Dir, "project.json")); ok && json.Unmarshal(data, &nx) == nil && nx.Name != "" {
		out = append(out, nx.Name)
	}
	return out
}

func matchesGlob(pattern, text, star string) bool {
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*\*`, "\x00")
	expr = strings.ReplaceAll(strings.ReplaceAll(expr, `\*`, star), "\x00", `.*`)
	re, err := regexp.Compile("^" + expr + "$")
	return err == nil && re.MatchString(text)
}

// missed is a pattern that chooses packages and matches none below; empty when
// there is none. Nobody knows then what the tool makes of it.
func (f *finder) missed(d delegation) string {
	for _, pattern := range d.only {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		one, found := delegation{dir: d.dir, only: []string{pattern}}, false
		for _, at := range f.tree.Packages(d.dir, markers()) {
			found = found || at != d.dir && one.takes(f.project(at))
		}
		if !found {
			return pattern
		}
	}
	return ""
}

// leftOut is the script that every call further up which would run it in a
// package leaves out there by a filter; empty when there is none.
func (f *finder) leftOut(p *project.Project) string {
	script := ""
	for _, d := range f.away {
		for _, s := range d.scripts {
			if !d.covers(p, s) {
				continue
			}
			if d.takes(p) {
				return ""
			}
			script = s
		}
	}
	return script
}

// covers reports whether a package below has a script of a delegation.
func (d delegation) covers(p *project.Project, script string) bool {
	return folder.Within(p.Dir, folder.FromDot(d.dir)) && p.Dir != d.dir && p.Pkg != nil && p.Pkg.Scripts[script] != ""
}

// delegated are the scripts of a package that scripts further up run in it.
func (f *finder) delegated(p *project.Project) (names []string) {
	for _, d := range f.away {
		for _, s := range d.scripts {
			if d.covers(p, s) && d.takes(p) && !slices.Contains(names, s) {
				names = append(names, s)
			}
		}
	}
	return names
}
