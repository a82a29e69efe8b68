package script

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/filter"
	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// monorepo follows turbo, nx, lerna and their like to the scripts that they run
// in the packages below; what those need before is kept as a preparation.
func monorepo(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	tool, scripts, only := path.Base(words[0].Text), []string(nil), []string(nil)
	values := map[string]bool{"-t": true, "--target": true, "--targets": true, "--filter": true, "-F": true, "--scope": true, "--ignore": true, "-p": true, "--projects": true, "--concurrency": true, "-c": true, "--configuration": true, "--exclude": true, "--base": true, "--head": true, "--parallel": tool == "nx"}
	list := "" // the option of nx that takes several words
	rest := words[1:]
	for len(rest) > 0 && rest[0].Text != "--" {
		option, value, joined := strings.Cut(rest[0].Text, "=")
		switch {
		case strings.HasPrefix(option, "-"):
			n := 1
			if values[option] && !joined && len(rest) > 1 && !strings.HasPrefix(rest[1].Text, "-") {
				value, n = rest[1].Text, 2
			}
			list = option
			only = append(only, filter.Of(option, value)...)
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
	scripts = prepareFor(k, tool, scripts)
	if len(scripts) == 0 {
		return nil, true
	}
	return k.away(words, scripts, only)
}

// prepareFor keeps what scripts need before them as preparations, and gives the
// scripts that are left, with those that run before them and are none.
func prepareFor(k *commandReader, tool string, scripts []string) (left []string) {
	var first, roots []string
	for i := 0; i < len(scripts) && i < MaxLeaves; i++ {
		s := scripts[i]
		switch kind := named(s, ""); kind {
		case Preparation:
			first = append(first, s)
			continue
		case Check:
		default:
			for _, need := range k.r.dependsOn(tool, k.pl.Dir, s) {
				root, atRoot := strings.CutPrefix(need, "//#")
				need = strings.TrimPrefix(need, "^")
				_, task, ofOne := strings.Cut(need, "#") // of one package
				switch {
				case atRoot: // of the folder of turbo.json
					if k.r.scripts(k.pl.Dir)[root] != "" && !slices.Contains(roots, root) {
						roots = append(roots, root)
					}
				case ofOne:
					if tool == "turbo" && named(task, "") == Preparation {
						first = append(first, need)
					}
				case named(need, "") == Check:
				case named(need, "") == Preparation:
					first = append(first, need)
				case tool == "turbo" && !strings.HasPrefix(need, "$") && !slices.Contains(scripts, need):
					scripts = append(slices.Clip(scripts), need)
				}
			}
		}
		left = append(left, s)
	}
	slices.Sort(first)
	for _, s := range slices.Compact(first) {
		argv := []string{tool, "run", s}
		if of, task, ofOne := strings.Cut(s, "#"); ofOne {
			argv = []string{tool, "run", task, "--filter=" + of}
		}
		if tool == "nx" {
			argv = []string{"nx", "run-many", "-t", s}
		}
		l := k.make(argv[0], shell.WordsOf(argv[1:]))
		l.Class, l.Plain, l.Line = Preparation, true, wording.Command(argv)
		k.r.Out = append(k.r.Out, l)
	}
	for _, s := range roots {
		k.r.Script(s, k.pl, nil)
	}
	return left
}

// dependsOn are the tasks that turbo.json or nx.json put before a script.
func (r *Reader) dependsOn(tool, dir, script string) []string {
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
	if json.Unmarshal(settings.PlainJSON(data), &c) != nil {
		return nil // or there is none: the packages' own scripts count
	}
	var out []string
	for _, tasks := range []map[string]task{c.Tasks, c.Pipeline, c.Defaults} {
		out = append(out, settings.Strings(tasks[script].DependsOn)...)
	}
	return out
}

// wireit follows a script of wireit: what it depends on, then its command. Some
// scripts stand in its own section alone, where npm does not know them, and what
// several depend on runs once.
func (r *Reader) wireit(m *Manifest, name string, pl Spot) {
	var c struct {
		Command      string `json:"command"`
		Dependencies []any  `json:"dependencies"`
	}
	sub := r.sub()
	asOne := func(why string) { // nothing of it is left out
		if r.Notes = append(r.Notes, sub.Notes...); len(sub.Notes) == 0 {
			r.note(pl, "wireit: "+why)
		}
		r.asOne("npm run "+wording.Quote(name), pl, false)
		r.lost = r.lost || m.Scripts[name] == "" // what needs it is run as a whole
	}
	if json.Unmarshal(m.Wireit[name], &c) != nil {
		asOne("its section in package.json cannot be read")
		return
	}
	if pl.wired == nil {
		pl.wired = map[Called]bool{}
	}
	for _, d := range c.Dependencies {
		on, _ := d.(string)
		if table, ok := d.(map[string]any); ok {
			on, _ = table["script"].(string)
		}
		dir, script := pl.Dir, on
		if at, other, ok := strings.Cut(on, ":"); ok && strings.HasPrefix(at, ".") {
			dir, script = path.Join(pl.Dir, at), other
		}
		of := r.manifest(dir)
		if strings.HasPrefix(dir, "..") || of == nil || of.Scripts[script] == "" && of.Wireit[script] == nil {
			asOne("what it depends on is not found here: " + shell.Cut(on, shell.MaxShown))
			return
		}
		at := pl
		at.Dir = dir
		if dir != pl.Dir && named(script, "") != Unknown {
			at.Kind = Preparation
		}
		if call := (Called{dir, script}); !pl.wired[call] {
			pl.wired[call] = true
			sub.Script(script, at, nil)
		}
	}
	if sub.Text(c.Command, pl, nil); sub.lost || sub.tired() {
		asOne("what it depends on is more than can be followed here")
		return
	}
	r.Out, r.Notes = append(r.Out, sub.Out...), append(r.Notes, sub.Notes...)
}
