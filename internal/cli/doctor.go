package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/wording"
)

// doctorCommand checks what a run needs and prints the fix for each problem. It
// installs nothing, runs no test and changes nothing.
type doctorCommand struct {
	config.Inputs `embed:""`
	JSON          bool `name:"json" help:"Print JSON."`
}

// The states of a check. A warning is what a run would go on without, off what
// is not asked for.
const (
	checkOK      = "ok"
	checkWarning = "warning"
	checkProblem = "problem"
	checkOff     = "off"
)

// checkup is one row.
type checkup struct {
	Name   string `json:"check"`
	State  string `json:"state"` // ok, warning, problem, off
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
	usage  bool   // a problem of usage or configuration, not of the machine
}

// doctorJSON is the published shape of `qa doctor --json`.
type doctorJSON struct {
	Problems int       `json:"problems"`
	Warnings int       `json:"warnings"`
	Checks   []checkup `json:"checks"`
}

// doctor collects what it finds.
type doctor struct{ checks []checkup }

func (d *doctor) add(state, name, fix, format string, args ...any) {
	d.checks = append(d.checks, checkup{Name: name, State: state, Detail: fmt.Sprintf(format, args...), Fix: fix})
}

func (d *doctor) ok(name, format string, args ...any) { d.add(checkOK, name, "", format, args...) }

// misused notes a problem that the user's own input or repository has.
func (d *doctor) misused(name, fix string, err error) {
	d.add(checkProblem, name, fix, "%v", err)
	d.checks[len(d.checks)-1].usage = true
}

// Run makes every check that the ones before it allow.
func (c *doctorCommand) Run(ctx context.Context, env *Env) error {
	d := &doctor{}
	if s := d.scene(ctx, env, c.Inputs); s != nil {
		d.output(ctx, s)
		d.place(ctx, env, s)
		d.token(ctx, env, s)
		d.model(ctx, env, s)
	}
	return d.report(env.Stdout, c.JSON)
}

// scene looks at git, configuration and change; nil when nothing else can be
// looked at.
func (d *doctor) scene(ctx context.Context, env *Env, in config.Inputs) *scene {
	res, err := process.Run(ctx, process.Command{Argv: []string{"git", "--version"}, Dir: env.Dir, Env: []string{"PATH=" + os.Getenv("PATH")}, Timeout: time.Minute})
	if err != nil {
		d.add(checkProblem, "git", "install git and put it on PATH", "%v", err)
		return nil
	}
	d.ok("git", "%s", strings.TrimSpace(string(res.Stdout)))
	if env.Getenv("GITHUB_ACTIONS") == "true" {
		s, err := setTheScene(ctx, env, in)
		if err != nil {
			d.misused("event and configuration", "", err)
			return nil
		}
		d.changed(s)
		return s
	}
	root, err := change.Root(ctx, env.Dir)
	if err != nil {
		d.misused("repository", "run qa in a git working copy", err)
		return nil
	}
	d.ok("repository", "%s", filepath.Base(root))
	s := &scene{root: root}
	name := in.Config
	if name == "" {
		name = env.Getenv(config.EnvName("config"))
	}
	if s.config, err = s.configure(env, in, name); err != nil {
		d.misused("configuration", "correct the lines named", err)
		return nil
	}
	d.ok("configuration", "%s", configText(s))
	if err := s.detect(ctx); err != nil {
		d.misused("change", "name a commit or branch with --base", err)
		return s
	}
	d.changed(s)
	return s
}

func configText(s *scene) string {
	if _, err := s.source(s.config.File); err != nil {
		return "defaults; there is no " + s.config.File
	}
	return s.config.File + " is valid"
}

func (d *doctor) changed(s *scene) {
	base := s.change.BaseRef
	if base == "" {
		base = "commit"
	}
	switch n := len(s.change.Files); {
	case s.change.All:
		d.ok("change", "scope all: %d files", n)
	case s.change.Base == "":
		d.ok("change", "%d files; nothing precedes %.7s, so there is no base to compare with", n, s.change.Head)
	default:
		d.ok("change", "%d files against %s %.7s", n, base, s.change.Base)
	}
}

// output makes sure that the sessions' directory can be written.
func (d *doctor) output(ctx context.Context, s *scene) {
	const fix = "choose a writable directory with --output-dir"
	name := s.config.OutputDir
	if _, err := s.within(ctx, name); err != nil {
		d.misused("output", fix, err)
		return
	}
	root, err := os.OpenRoot(s.root)
	if err != nil {
		d.add(checkProblem, "output", fix, "%v", err)
		return
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	// A run makes the directory, so it is the nearest one above that counts.
	for dir := name; ; dir = path.Dir(dir) {
		info, err := root.Lstat(filepath.FromSlash(dir))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			d.add(checkProblem, "output", fix, "%v", err)
		case !info.IsDir():
			d.add(checkProblem, "output", fix, "%s is in the way: it is not a directory", name)
		default:
			d.writable(root, path.Join(dir, ".qa-doctor-"+rand.Text()), name, fix)
		}
		return
	}
}

func (d *doctor) writable(root *os.Root, probe, name, fix string) {
	f, err := rooted.Fresh(root, probe)
	if err == nil {
		_, err = f.WriteString("x")
		err = errors.Join(err, f.Close(), root.Remove(filepath.FromSlash(probe)))
	}
	if err != nil {
		d.add(checkProblem, "output", fix, "%s cannot be written: %v", name, err)
		return
	}
	d.ok("output", "%s can be written", name)
}

// report prints the checks and turns them into the exit code: 2 for problems of
// usage or configuration, 3 for those of the machine.
func (d *doctor) report(w io.Writer, asJSON bool) error {
	out := doctorJSON{Checks: d.checks}
	usage := false
	for _, c := range d.checks {
		switch c.State {
		case checkProblem:
			out.Problems++
			usage = usage || c.usage
		case checkWarning:
			out.Warnings++
		}
	}
	if err := d.print(w, out, asJSON); err != nil {
		return err
	}
	if out.Problems == 0 {
		return nil
	}
	code := exitInconclusive
	if usage { // one of them at least is of usage or configuration
		code = exitUsage
	}
	return concluded{code, wording.Count(out.Problems, "problem")}
}

func (d *doctor) print(w io.Writer, out doctorJSON, asJSON bool) error {
	if asJSON {
		raw, err := json.MarshalIndent(out, "", "  ")
		if err != nil {
			return fmt.Errorf("print the checks: %w", err)
		}
		_, err = fmt.Fprintf(w, "%s\n", raw)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range d.checks {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.State, wording.Line(c.Name, 40), wording.Line(c.Detail, 400))
		if c.Fix != "" {
			fmt.Fprintf(t, "\t\t→ %s\n", wording.Line(c.Fix, 400))
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print the checks: %w", err)
	}
	_, err := fmt.Fprintf(w, "\n%s, %s\n", wording.Count(out.Problems, "problem"), wording.Count(out.Warnings, "warning"))
	return err
}
