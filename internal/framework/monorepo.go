package framework

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// monorepo follows turbo, nx, lerna and their like to the scripts that they run
// in the packages below; what those need before is kept as a preparation.
func monorepo(k *commandReader, words []word) ([]word, bool) {
	tool, scripts, only := path.Base(words[0].text), []string(nil), []string(nil)
	values := map[string]bool{"-t": true, "--target": true, "--targets": true, "--filter": true, "-F": true, "--scope": true, "--ignore": true, "-p": true, "--projects": true, "--concurrency": true, "-c": true, "--configuration": true, "--exclude": true, "--base": true, "--head": true, "--parallel": tool == "nx"}
	list := "" // the option of nx that takes several words
	rest := words[1:]
	for len(rest) > 0 && rest[0].text != "--" {
		option, value, joined := strings.Cut(rest[0].text, "=")
		switch {
		case strings.HasPrefix(option, "-"):
			n := 1
			if values[option] && !joined && len(rest) > 1 && !strings.HasPrefix(rest[1].text, "-") {
				value, n = rest[1].text, 2
			}
			list = option
			only = append(only, filtered(option, value)...)
			if option == "-t" || strings.HasPrefix(option, "--target") {
				scripts = append(scripts, strings.Split(value, ",")...)
			}
			rest = rest[n:]
			continue
		case option == "exec": // any command, in each package
			return k.away(words, nil, nil)
		case slices.Contains([]string{"run", "run-many", "affected", "watch"}, option):
		default:
			// nx run project:target, nx target project, nx run-many -t target target
			project, target, both := strings.Cut(option, ":")
			switch {
			case tool == "nx" && both:
				scripts, only = append(scripts, target), append(only, project)
			case tool == "nx" && len(scripts) > 0 && list != "-t" && !strings.HasPrefix(list, "--target"):
				only = append(only, option)
			default:
				scripts = append(scripts, option)
			}
		}
		rest = rest[1:]
	}
	var first []string
	for _, s := range scripts {
		if kind := named(s, ""); kind != check && kind != preparation {
			first = append(first, k.r.dependsOn(tool, k.pl.dir, s)...)
		}
	}
	for _, s := range scripts {
		if named(s, "") == preparation {
			first = append(first, s)
		}
	}
	slices.Sort(first)
	for _, s := range slices.Compact(first) {
		argv := []string{tool, "run", s}
		if tool == "nx" {
			argv = []string{"nx", "run-many", "-t", s}
		}
		l := k.make(argv[0], wordsOf(argv[1:]))
		l.class, l.plain, l.line = preparation, true, quoted(argv)
		k.r.out = append(k.r.out, l)
	}
	scripts = slices.DeleteFunc(scripts, func(s string) bool { return named(s, "") == preparation })
	if len(scripts) == 0 {
		return nil, true
	}
	return k.away(words, scripts, only)
}

// dependsOn are the builds that turbo.json or nx.json put before a script.
func (r *reader) dependsOn(tool, dir, script string) []string {
	file, ok := map[string]string{"turbo": "turbo.json", "nx": "nx.json"}[tool]
	if !ok {
		return nil
	}
	type task struct {
		DependsOn []any `json:"dependsOn"`
	}
	var c struct {
		Tasks    map[string]task `json:"tasks"`
		Pipeline map[string]task `json:"pipeline"`
		Defaults map[string]task `json:"targetDefaults"`
	}
	data, _ := r.file(path.Join(dir, file))
	if json.Unmarshal(data, &c) != nil {
		return nil // with comments, or none: the packages' own scripts count
	}
	var out []string
	for _, tasks := range []map[string]task{c.Tasks, c.Pipeline, c.Defaults} {
		for _, d := range stringsOf(tasks[script].DependsOn) {
			if d = strings.TrimPrefix(d, "^"); named(d, "") == preparation {
				out = append(out, d)
			}
		}
	}
	return out
}

// nxTargets reports whether a project.json below dir has one of the targets in
// place of a script.
func (t *tree) nxTargets(dir string, targets []string) bool {
	queue, seen := []string{dir}, 0
	for len(queue) > 0 && seen < maxFolders {
		at := queue[0]
		queue = queue[1:]
		seen++
		for _, e := range t.list(at) {
			switch name := e.Name(); {
			case e.IsDir() && !skipped(name) && !strings.HasPrefix(name, "."):
				queue = append(queue, path.Join(at, name))
			case name == "project.json":
				var c struct {
					Targets map[string]json.RawMessage `json:"targets"`
				}
				data, _ := t.read(path.Join(at, name))
				if json.Unmarshal(data, &c) != nil { // nx reads comments, too
					return true
				}
				if slices.ContainsFunc(targets, func(s string) bool { return c.Targets[s] != nil }) {
					return true
				}
			}
		}
	}
	return false
}

// wireit follows a script of wireit: what it depends on, then its command.
func (r *reader) wireit(m *manifest, name string, pl spot) {
	var c struct {
		Command      string `json:"command"`
		Dependencies []any  `json:"dependencies"`
	}
	if json.Unmarshal(m.Wireit[name], &c) != nil {
		r.note(pl, "wireit: its section in package.json cannot be read")
		return
	}
	for _, d := range c.Dependencies {
		on, _ := d.(string)
		if table, ok := d.(map[string]any); ok {
			on, _ = table["script"].(string)
		}
		dir, script := pl.dir, on
		if at, other, ok := strings.Cut(on, ":"); ok && strings.HasPrefix(at, ".") {
			dir, script = path.Join(pl.dir, at), other
		}
		if r.scripts(dir)[script] == "" || strings.HasPrefix(dir, "..") {
			continue
		}
		at := pl
		at.dir = dir
		if dir != pl.dir && named(script, "") != unknown {
			at.kind = preparation
		}
		r.script(script, at, nil)
	}
	r.text(c.Command, pl, nil)
}
