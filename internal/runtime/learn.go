package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/tree"
	"github.com/org/qa-action/internal/wording"
)

// Prepared is what was made ready for the tests before any of them ran.
type Prepared struct {
	// Done says what was installed, set and built and by which file, a line each.
	Done []string
	// Missing is what could not be installed, Unbuilt what could not be built.
	Missing, Unbuilt string
	// Rebuilt are files that git knows and that a build wrote anew.
	Rebuilt []string
	// Job is what the repository's own workflow says of these tests.
	Job ci.Job
}

// Prepared says how the workspace was made ready.
func (w *Workspace) Prepared() Prepared {
	d := w.deps
	return Prepared{slices.Clone(d.prepared), d.unprepared, d.unbuilt, d.rebuilt, d.job}
}

// learn reads what the repository's own workflows do to test it, as they stand on
// base, and sets the variables that its tests see there: a change cannot choose them.
// What finds programs or loads code stays ours, see [ci.Harmless]. In a container of
// the job nothing is learnt: its environment is the workflow's.
func learn(ctx context.Context, w *Workspace) {
	if len(w.opts.Workflows) == 0 || w.box.Foreign {
		return
	}
	versions := map[string]string{}
	facts := ci.Read(w.opts.Workflows, func(language string) string {
		program := map[string]string{"node": "node", "python": "python3", "go": "go", "java": "java"}[language]
		if _, asked := versions[language]; !asked && program != "" {
			versions[language] = provision.StatedVersion(w.stated(ctx, program))
		}
		return versions[language]
	})
	for _, u := range facts.Unread {
		w.prepared("%s %s", u.File, u.Why)
	}
	var ok bool
	if w.deps.job, ok = facts.For(w.opts.Dir); !ok {
		return
	}
	if said := w.deps.job.Said(w.opts.Dir); said != "" {
		w.prepared("%s", said)
	}
	variables, _ := w.deps.job.Variables(w.opts.Dir)
	if len(variables) == 0 {
		return
	}
	var shown []string
	for _, v := range variables {
		w.env = environ.Merge(w.env, []string{v.Name + "=" + v.Value})
		shown = append(shown, fmt.Sprintf("%s=%.60s (%s)", v.Name, wording.Line(v.Value, 60), v.Source))
	}
	w.prepared("set for the tests as in the repository's own workflow: %s", strings.Join(shown, ", "))
}

// buildsOf are the builds that the workflow runs before the tests. They are run where
// nobody has set the checkout up, so that what they make cannot be there: where this
// run installed. Base does what head did.
func buildsOf(w *Workspace) []ci.Command {
	if w.parent != nil {
		return w.parent.deps.built
	}
	if w.opts.Install == "never" || !w.deps.fresh && !repository.IsVenv(w.box.Place.Venv) {
		return nil
	}
	return slices.DeleteFunc(w.deps.job.Before(ci.Build), func(c ci.Command) bool { return !c.Certain })
}

// build runs them behind the walls of any code of the repository. One that fails is
// no error: whether the tests need it they tell themselves. That a file of the
// project is another one afterwards is noted.
func build(ctx context.Context, w *Workspace, builds []ci.Command) error {
	if len(builds) == 0 {
		return nil
	}
	before, err := tree.Look(w.box.Place.Tree, w.tree.Tracked)
	if err != nil {
		return err
	}
	for _, c := range builds {
		var env []string
		for _, v := range c.Env {
			if ci.Harmless(v.Name, v.Value) {
				env = append(env, v.Name+"="+v.Value)
			}
		}
		w.deps.built = append(w.deps.built, c)
		line := c.Line()
		_, _ = fmt.Fprintf(w.opts.Log, "built as in the repository's own workflow: %s\n", line)
		res, err := w.Prepare(ctx, c.Dir, c.Argv, env)
		switch {
		case ctx.Err() != nil:
			return provision.Unready("what the workflow builds before the tests", line, res, context.Cause(ctx), findOf(w))
		case err != nil:
			w.deps.unbuilt = fmt.Sprintf("%s: %v", line, err)
		case res.TimedOut || res.ExitCode != 0 || res.Signal != "":
			w.deps.unbuilt = provision.Unready("", line, res, nil, findOf(w)).Error()
		default:
			w.prepared("built with %s", line)
			continue
		}
		break // what follows builds on it
	}
	after, err := tree.Look(w.box.Place.Tree, w.tree.Tracked)
	if err != nil {
		return err
	}
	changed, _ := tree.Differ(before.Project, after.Project)
	for _, name := range changed {
		if w.tree.Tracked.File(name) {
			w.deps.rebuilt = append(w.deps.rebuilt, name)
		}
	}
	return nil
}
