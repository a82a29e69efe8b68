package mode

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
)

// place is where the repository's code runs: a private copy of head, and one
// of base that is made when it is first needed.
type place struct {
	opts   runtime.Options
	commit string // base
	once   sync.Once
	head   *runtime.Workspace
	err    error
	mu     sync.Mutex
	base   *runtime.Workspace
}

func newPlace(r *run) *place {
	c := r.Config
	o := runtime.Options{
		Driver: c.Runtime, Root: r.Root, Env: r.Env, Secrets: c.Secrets(), Install: c.Install,
		Dir: c.WorkingDirectory, Image: c.RuntimeImage, JobContainer: r.JobContainer,
		Log: r.Progress, Hide: []string{r.Output.Path()}, Caches: framework.Caches(), Trusted: r.Past.Default, AcceptWeak: c.AcceptWeak,
		GoTests: func(ctx context.Context, ws *runtime.Workspace) []runtime.GoTest { return goTests(ctx, ws, c) },
	}
	if c.SetupCommand != "" {
		o.Setup = append(o.Setup, shell(c.SetupCommand))
	}
	return &place{opts: o, commit: r.Change.Base}
}

// goTests are the suites in Go, as they will be run with coverage.
func goTests(ctx context.Context, ws *runtime.Workspace, c *config.Config) []runtime.GoTest {
	var found baseline
	found.also = map[string]string{}
	if found.detect(machine(ctx, ws), ws.Dir(), c) != nil {
		return nil // said when the tests are to be run
	}
	var out []runtime.GoTest
	for _, t := range found.targets {
		d := t.Framework
		if d.Framework != framework.Gotest.Name {
			continue
		}
		flags := slices.Clone(d.Args)
		if len(d.Sources) > 0 {
			flags = append(flags, "-coverpkg="+strings.Join(d.Sources, ","))
		}
		out = append(out, runtime.GoTest{Dir: d.Dir, Flags: flags, Packages: d.Packages, Env: d.Env})
	}
	return out
}

// shell is how a command line of the user's configuration is run. It comes
// from the base commit or the workflow, never from the change.
func shell(command string) []string { return []string{"sh", "-c", command} }

// open makes the copy of head, once.
func (p *place) open(ctx context.Context) (*runtime.Workspace, error) {
	p.once.Do(func() {
		if p.head, p.err = runtime.Open(ctx, p.opts); p.err == nil && p.commit != "" {
			p.err = p.head.Against(ctx, p.commit)
		}
	})
	if p.err != nil {
		return nil, p.err
	}
	return p.head, nil
}

// sides are the trees the executor compares.
func (p *place) sides(head *runtime.Workspace) executor.Sides {
	s := executor.Sides{Head: head}
	if p.commit != "" {
		s.Base = func(ctx context.Context) (executor.Tree, error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.base == nil {
				base, err := head.At(ctx, p.commit)
				if err != nil {
					return nil, err
				}
				p.base = base
			}
			return p.base, nil
		}
	}
	return s
}

// restore undoes what tests did to the project's files in the copies, so that
// what runs next starts from the same ones.
func (p *place) restore(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range []*runtime.Workspace{p.head, p.base} {
		if w == nil {
			continue
		}
		side := []string{"head", "base"}[i]
		touched, err := w.Restore(ctx)
		if len(touched) > 0 {
			_, _ = fmt.Fprintf(p.opts.Log, "copy of %s: tests touched files of the project, put back: %q and %d more\n", side, touched[0], len(touched)-1)
		}
		if err != nil {
			_, _ = fmt.Fprintf(p.opts.Log, "copy of %s: %q\n", side, err)
		}
	}
}

// exec runs a scan engine's program in the copy of head.
func (p *place) exec(ctx context.Context, c process.Command) (process.Result, error) {
	w, err := p.open(ctx)
	if err != nil {
		return process.Result{}, fmt.Errorf("no place to run %s: %w", c.Argv[0], err)
	}
	dir, err := filepath.Rel(w.Dir(), c.Dir)
	if err != nil || strings.HasPrefix(dir, "..") {
		return process.Result{}, fmt.Errorf("run %s: directory %s is outside the copy", c.Argv[0], c.Dir)
	}
	return w.Run(ctx, runtime.Command{
		Argv: c.Argv, Dir: filepath.ToSlash(dir), Env: c.Env, Timeout: c.Timeout, MaxOutput: c.MaxOutput,
		Live: c.Live, Stdin: c.Stdin,
	})
}

func (p *place) close() error {
	var errs []error
	for _, w := range []*runtime.Workspace{p.base, p.head} {
		if w != nil {
			errs = append(errs, w.Close())
		}
	}
	return errors.Join(errs...)
}

// text is a file of the checkout, nil when it cannot be read.
func (r *run) text(path string) []byte {
	data, err := r.read(path)
	if err != nil {
		return nil
	}
	return data
}

// read reads a file of the checkout, never following a link out of it.
func (r *run) read(path string) ([]byte, error) {
	return rooted.ReadIn(r.Root, path, maxSource)
}

// maxSource bounds what is read of one file of the checkout.
const maxSource = 256 << 20
