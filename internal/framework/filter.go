package framework

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The filters by which turbo, nx, lerna, pnpm, npm, yarn and bun choose packages.
// What a pattern leaves open, such as the packages that depend on one or changed
// since a commit, only the tool itself knows: its call is run as it stands.

// plainFilter is a name or a path, with or without a glob; "!" leaves out.
var plainFilter = regexp.MustCompile(`^!?(?:\{[\w@./*-]+\}|[\w@./*-]+)$`)

// filters are the options that choose packages; false are those that leave out.
var filters = map[string]bool{
	"--filter": true, "-F": true, "--scope": true, "--projects": true, "-p": true, "--project": true, "--workspace": true, "-w": true, "--include": true,
	"--ignore": false, "--exclude": false,
}

// filtered are the patterns that an option's value names.
func filtered(option, value string) []string {
	choose, ok := filters[option]
	if !ok || value == "" && len(option) == 2 { // -w and -p mean other things, too
		return nil
	}
	list := []string{value}
	if !strings.Contains(value, "{") {
		list = strings.Split(value, ",")
	}
	var out []string
	for _, p := range list {
		if p = strings.TrimSpace(p); !choose {
			p = "!" + p
		}
		out = append(out, p)
	}
	return out
}

// filtersOf are the patterns that some of the options among words name.
func filtersOf(words []word, options ...string) (out []string) {
	for i, w := range words {
		option, value, joined := strings.Cut(w.text, "=")
		if !slices.Contains(options, option) {
			continue
		}
		if !joined && i+1 < len(words) {
			value = words[i+1].text
		}
		out = append(out, filtered(option, value)...)
	}
	return out
}

// plainly reports whether all patterns are names, paths or globs.
func plainly(patterns []string) bool {
	for _, p := range patterns {
		if !plainFilter.MatchString(p) || strings.Contains(p, "...") {
			return false
		}
	}
	return true
}

// delegation is a folder whose script runs scripts of the packages below.
type delegation struct {
	dir     string
	scripts []string
	only    []string // the packages, by name or path; empty is all
	before  []leaf
}

// takes reports whether a delegation runs in a package. Where a pattern may be
// read in two ways it chooses more and leaves out less.
func (d delegation) takes(p *project) bool {
	chosen, positive := false, false
	for _, pattern := range d.only {
		if not, ok := strings.CutPrefix(pattern, "!"); ok {
			if p.called(not, d.dir, true) {
				return false
			}
			continue
		}
		positive = true
		chosen = chosen || p.called(pattern, d.dir, false)
	}
	return chosen || !positive
}

// called reports whether a pattern names a package: by its path from dir, or by
// one of its names, with or without the scope. Where sure is set, only what every
// tool reads so counts.
func (p *project) called(pattern, dir string, sure bool) bool {
	at, inBraces := strings.CutPrefix(pattern, "{")
	at = strings.TrimSuffix(at, "}")
	isPath, star := inBraces || strings.HasPrefix(at, "."), `.*`
	if sure {
		star = `[^/]*`
	}
	if isPath || !sure {
		below := beneath(p.dir, fromDot(dir))
		if matchesGlob(path.Clean(at), below, star) || !strings.Contains(at, "*") && within(below, path.Clean(at)) {
			return true
		}
	}
	if isPath {
		return false
	}
	for _, name := range p.names() {
		short := name[strings.LastIndexByte(name, '/')+1:]
		if matchesGlob(at, name, star) || !sure && matchesGlob(at, short, star) {
			return true
		}
	}
	return false
}

// names are what the tools call a package.
func (p *project) names() []string {
	var out []string
	if p.pkg != nil && p.pkg.Name != "" {
		out = append(out, p.pkg.Name)
	}
	var nx struct {
		Name string `json:"name"`
	}
	if data, ok := p.read(path.Join(p.dir, "project.json")); ok && json.Unmarshal(data, &nx) == nil && nx.Name != "" {
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
		for _, at := range f.tree.packages(d.dir) {
			found = found || at != d.dir && one.takes(newProject(f.tree, at))
		}
		if !found {
			return pattern
		}
	}
	return ""
}

// leftOut is the script that every call further up which would run it in a
// package leaves out there by a filter; empty when there is none.
func (f *finder) leftOut(p *project) string {
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
func (d delegation) covers(p *project, script string) bool {
	return within(p.dir, fromDot(d.dir)) && p.dir != d.dir && p.pkg != nil && p.pkg.Scripts[script] != ""
}

// delegated are the scripts of a package that scripts further up run in it.
func (f *finder) delegated(p *project) (names []string) {
	for _, d := range f.away {
		for _, s := range d.scripts {
			if d.covers(p, s) && d.takes(p) && !slices.Contains(names, s) {
				names = append(names, s)
			}
		}
	}
	return names
}
