package script

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// DenoConfigs are the files of deno, the first that is there counts.
var DenoConfigs = []string{"deno.json", "deno.jsonc"}

// denoTask is a task of a configuration: a command, or a table with one and with the
// tasks that run before it.
type denoTask struct {
	Command      string   `json:"command"`
	Dependencies []string `json:"dependencies"`
}

// denoTasks are the tasks of a folder, and the file they stand in.
func (f files) denoTasks(dir string) (tasks map[string]denoTask, source string) {
	for _, name := range DenoConfigs {
		data, ok := f.file(path.Join(dir, name))
		if !ok {
			continue
		}
		var c struct {
			Tasks map[string]json.RawMessage `json:"tasks"`
		}
		_ = json.Unmarshal(settings.PlainJSON(data), &c) // what does not parse has no tasks
		tasks = map[string]denoTask{}
		for task, raw := range c.Tasks {
			var one denoTask
			if json.Unmarshal(raw, &one.Command) == nil || json.Unmarshal(raw, &one) == nil {
				tasks[task] = one
			}
		}
		return tasks, name
	}
	return nil, ""
}

// DenoTests follows the test tasks of a folder: "test" where it leads to tests, else
// those with the usual names. false when there is no task that does.
func (r *Reader) DenoTests(pl Spot) bool {
	tasks, _ := r.denoTasks(pl.Dir)
	scripts := map[string]string{}
	for name, t := range tasks {
		scripts[name] = t.Command + strings.Join(t.Dependencies, " ")
	}
	before := len(r.Out)
	leads := func() bool { return slices.ContainsFunc(r.Out[before:], Leaf.Testing) }
	for _, name := range (&Manifest{Scripts: scripts}).TestScripts() {
		if r.denoTask(name, pl, nil); name == "test" && leads() {
			break
		}
	}
	return leads()
}

// denoTask follows one task, after those that it depends on; extra is added to its
// command. false when there is none of that name.
func (r *Reader) denoTask(name string, pl Spot, extra []shell.Word) bool {
	tasks, source := r.denoTasks(pl.Dir)
	task, ok := tasks[name]
	if !ok {
		return false
	}
	key := pl.Dir + "\x00deno " + name
	if slices.Contains(pl.trail, key) {
		r.note(pl, "task "+shell.Cut(name, shell.MaxShown)+" runs itself")
		return true
	}
	pl = pl.enter(name)
	pl.trail, pl.Source = append(pl.trail, key), source
	for _, first := range task.Dependencies {
		r.denoNamed(first, pl, nil)
	}
	r.Text(task.Command, pl, extra)
	return true
}

// denoNamed follows what deno task finds under a name: a task, tasks by a pattern, or
// a script of package.json. What is not there stays a command, which fails as deno does.
func (r *Reader) denoNamed(name string, pl Spot, extra []shell.Word) {
	if r.denoTask(name, pl, extra) {
		return
	}
	if r.scripts(pl.Dir)[name] != "" {
		r.Script(name, pl, extra)
		return
	}
	found := false
	if strings.Contains(name, "*") {
		like, err := regexp.Compile("^" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*") + "$")
		tasks, _ := r.denoTasks(pl.Dir)
		for _, n := range slices.Sorted(maps.Keys(tasks)) {
			found = err == nil && like.MatchString(n) && r.denoTask(n, pl, extra) || found
		}
	}
	if !found {
		r.note(pl, "runs a task that is not there: "+shell.Cut(name, shell.MaxShown))
		r.asOne("deno task "+wording.Quote(name), pl, false)
	}
}

// followDeno follows deno task; what else deno does has a row in the table of programs.
func followDeno(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	if len(words) < 2 || words[1].Text != "task" {
		return words, false
	}
	rest := words[2:]
	for len(rest) > 0 && (rest[0].Text == "-q" || rest[0].Text == "--quiet") {
		rest = rest[1:]
	}
	_, source := k.r.denoTasks(k.pl.Dir)
	// Another folder, other packages, a line of its own, or a configuration further up.
	if len(rest) == 0 || strings.HasPrefix(rest[0].Text, "-") || source == "" && k.r.scripts(k.pl.Dir)[rest[0].Text] == "" || !k.known {
		return k.outcome(words, k.pl.Kind)
	}
	k.r.denoNamed(rest[0].Text, k.pl, rest[1:])
	return nil, true
}
