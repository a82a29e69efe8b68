package runtime

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
)

// Prepared is what was made ready for the tests before any of them ran.
type Prepared struct {
	// Done says what was installed, set and built and by which file, a line each.
	Done []string
	// Missing is what could not be installed, Unbuilt what could not be built.
	Missing, Unbuilt string
	// Rebuilt are files that git knows and that a build wrote anew. Made says that a build
	// or a setup command ran.
	Rebuilt []string
	Made    bool
	// Judges are the installed files with which tests are run and judged that builds
	// and setup commands made, changed or removed, with the digest of each.
	Judges map[string]string
	// Job is what the repository's own workflow says of these tests.
	Job ci.Job
}

// Prepared says how the workspace was made ready.
func (w *Workspace) Prepared() Prepared {
	s := w.setup
	return Prepared{append(slices.Clone(s.notes.done), provision.Instead(w.Tools())...), cmp.Or(s.notes.missing, s.notes.scriptless), s.unbuilt, s.rebuilt, s.ran, s.judges, s.job}
}

// setup makes ready what tests need beside installed packages: the variables and
// builds of the repository's own workflow, and the setup commands.
type setup struct {
	*runner
	tree     *tree.Tree
	made     *packages.OneSided
	notes    *notes
	dir      string
	commands [][]string
	packages []Package
	// job is the workflow's, built what was run of it, with what came of that.
	job     ci.Job
	built   []ci.Command
	unbuilt string
	rebuilt []string
	ran     bool
	judges  map[string]string
}

// notes are of what was done before any test.
type notes struct {
	done    []string
	missing string // what could not be installed
	// scriptless is the package whose install script fails, so that none was run.
	scriptless string
}

func (n *notes) add(format string, args ...any) {
	n.done = append(n.done, fmt.Sprintf(format, args...))
}

// learn reads what the repository's own workflows do to test it, as they stand on
// base, and sets the variables that its tests see there: a change cannot choose them.
// What finds programs or loads code stays ours, see [ci.Harmless]. In a container of
// the job nothing is learnt: its environment is the workflow's.
func (s *setup) learn(ctx context.Context, workflows map[string][]byte) {
	if len(workflows) == 0 || s.box.Foreign {
		return
	}
	versions := map[string]string{}
	facts := ci.Read(workflows, func(language string) string {
		program := map[string]string{"node": "node", "python": "python3", "go": "go", "java": "java"}[language]
		if _, asked := versions[language]; !asked && program != "" {
			versions[language] = provision.StatedVersion(s.stated(ctx, program))
		}
		return versions[language]
	})
	for _, u := range facts.Unread {
		s.notes.add("%s %s", u.File, u.Why)
	}
	var ok bool
	if s.job, ok = facts.For(s.dir); !ok {
		return
	}
	if said := s.job.Said(s.dir); said != "" {
		s.notes.add("%s", said)
	}
	s.set("set for the tests", s.job.Variables(s.dir))
	s.set("installed", s.job.Installing())
	if git := s.job.Git(); len(git) > 0 && s.box.Place.SetUpGit(git, s.box.User) == nil {
		s.notes.add("git is set up as in the repository's own workflow: %s", strings.Join(each.Of(git, ci.Variable.Shown), ", "))
	}
}

// set sets variables as the repository's own workflow does, and says so.
func (s *setup) set(what string, variables []ci.Variable) {
	if len(variables) > 0 {
		s.env = environ.Merge(s.env, each.Of(variables, setting))
		s.notes.add("%s as in the repository's own workflow: %s", what, strings.Join(each.Of(variables, ci.Variable.Shown), ", "))
	}
}

// setting is a variable as environments have it.
func setting(v ci.Variable) string { return v.Name + "=" + v.Value }

// run runs the builds of the workflow and the setup commands. They run code of the
// project: packages that they made or changed are those of one side.
func (s *setup) run(ctx context.Context, builds []ci.Command) error {
	all := append([]Package{{Dir: s.dir, Setup: s.commands}}, s.packages...)
	if len(builds) == 0 && !slices.ContainsFunc(all, func(p Package) bool { return len(p.Setup) > 0 }) {
		return nil
	}
	s.ran = true
	if err := s.tree.Unshare(); err != nil {
		return err
	}
	before, err := s.tree.PackageStamps()
	if err != nil {
		return err
	}
	if err := s.build(ctx, builds); err != nil {
		return err
	}
	for _, p := range all {
		if err := s.ready(ctx, p); err != nil {
			return err
		}
	}
	after, err := s.tree.PackageStamps()
	if err != nil {
		return err
	}
	changed, made := each.Differ(before, after)
	changed = append(changed, made...)
	s.made.SetUpOn(before, changed)
	s.judges = tree.PackageDigests(s.box.Place.Tree, slices.DeleteFunc(changed, func(name string) bool { return !toolchain.Judges(filepath.ToSlash(name)) }))
	return nil
}

// ready runs the setup commands of a package. One that the change adds is not on base.
func (s *setup) ready(ctx context.Context, p Package) error {
	if p.Dir != "" && !clone.PlainDir(s.box.Place.Tree, filepath.FromSlash(p.Dir)) {
		return nil
	}
	for _, argv := range p.Setup {
		if err := s.must(ctx, "setup-command", Command{Argv: argv, Dir: p.Dir, Timeout: installTime}); err != nil {
			return err
		}
	}
	return nil
}

// builds are those that the workflow runs before the tests. They are run where
// nobody has set the checkout up, so that what they make cannot be there: where this
// run installed. Base does what head did.
func (w *Workspace) builds() []ci.Command {
	if w.head != nil {
		return w.head.setup.built
	}
	if w.opts.Install == "never" || !w.installer.fresh && !repository.IsVenv(w.box.Place.Venv) {
		return nil
	}
	return slices.DeleteFunc(w.setup.job.Before(ci.Build), func(c ci.Command) bool { return !c.Certain })
}

// build runs them inside the sandbox, as any code of the repository. One that fails is
// no error: whether the tests need it they tell themselves. That a file of the
// project is another one afterwards is noted.
func (s *setup) build(ctx context.Context, builds []ci.Command) error {
	if len(builds) == 0 {
		return nil
	}
	before, err := tree.Look(s.box.Place.Tree, s.tree.Tracked)
	if err != nil {
		return err
	}
	for _, c := range builds {
		env := each.Of(each.Where(c.Env, func(v ci.Variable) bool { return ci.Harmless(v.Name, v.Value) }), setting)
		s.built = append(s.built, c)
		line := c.Line()
		_, _ = fmt.Fprintf(s.log, "built as in the repository's own workflow: %s\n", line)
		res, err := s.prepare(ctx, Command{Argv: c.Argv, Dir: c.Dir, Env: env})
		switch {
		case ctx.Err() != nil:
			return provision.Unready("what the workflow builds before the tests", line, res, context.Cause(ctx), s.finder())
		case err != nil:
			s.unbuilt = fmt.Sprintf("%s: %v", line, err)
		case res.TimedOut || res.ExitCode != 0 || res.Signal != "":
			s.unbuilt = provision.Unready("", line, res, nil, s.finder()).Error()
		default:
			s.notes.add("built with %s", line)
			continue
		}
		break // what follows builds on it
	}
	after, err := tree.Look(s.box.Place.Tree, s.tree.Tracked)
	if err != nil {
		return err
	}
	changed, _ := each.Differ(before.Project, after.Project)
	s.rebuilt = append(s.rebuilt, each.Where(changed, s.tree.Tracked.File)...)
	return nil
}

// prepare runs a command as a package manager would.
func (s *setup) prepare(ctx context.Context, c Command) (process.Result, error) {
	c.Timeout, c.Live = installTime, s.log
	if c.Script == nil {
		c.Script = &Script{Dir: c.Dir}
	}
	adopt, err := s.tree.Preparing()
	if err != nil {
		return process.Result{}, err
	}
	res, err := s.Run(ctx, c)
	if err != nil {
		return res, err
	}
	return res, adopt()
}
