package framework

import (
	"slices"

	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
)

// denoTasks adds what the test tasks of deno.json run. Beside tests of package.json
// only tasks with tests of deno's own count: the others run the same suites in
// another way, and are said.
func (f *finder) denoTasks(p *project.Project, scripted []script.Leaf) []script.Leaf {
	ofDeno := func(l script.Leaf) bool { return l.Framework == javascript.Deno.Name }
	if slices.ContainsFunc(scripted, ofDeno) || p.First(p.Dir, script.DenoConfigs...) == "" {
		return scripted
	}
	r := script.NewReader(f.runners, f.tree.Read)
	if !r.DenoTests(script.Spot{Dir: p.Dir}) {
		return scripted
	}
	if slices.ContainsFunc(scripted, leads) && !slices.ContainsFunc(r.Out, ofDeno) {
		for _, l := range r.Out {
			if l.Testing() {
				f.note(l.Dir+" "+l.Source, "its task "+l.Script+" is not run, as package.json has test scripts: "+l.Line)
			}
		}
		return scripted
	}
	for _, n := range r.Notes {
		f.note(n.What, n.Why)
	}
	return append(scripted, r.Out...)
}
