package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/tree"
	"github.com/org/qa-action/internal/timing"
)

// A GoTest is a call of go test that will be made. Flags and Env may come from the
// change: only what chooses how packages are compiled is heeded.
type GoTest struct {
	Dir string // slash separated, relative to the root
	// Flags are those of go test, with their values as go takes them.
	Flags    []string
	Packages []string
	Env      []string
}

// warmer compiles what tests in Go need, before any of them runs.
type warmer struct {
	*runner
	caches *caches
	tree   *tree.Tree
	// exact says that the tests are those that will run: what they are compiled to
	// follows from the project's own packages as well.
	exact bool
}

// warm downloads and compiles what the tests in Go need, the standard library first
// of all and the project's own packages last, and takes that over for every tree that
// is opened from now on. The go command runs no code of what it compiles, and files
// each result under the digest of all that it was made of. What was compiled so
// before is only looked up, and where little is new the tests compile it. On base it is called before any code ran in its tree, and
// only where head's tests cannot write there meanwhile.
func (g *warmer) warm(ctx context.Context, tests func() []GoTest) error {
	ctx, end := timing.Begin(ctx, timing.Compile, "packages of Go")
	defer end()
	if !g.caches.guarded() || g.box.Foreign || !g.tree.Tracked.HasGo() {
		return nil
	}
	known := false
	for _, t := range tests() {
		shown, err := g.compile(ctx, t)
		if err != nil {
			return fmt.Errorf("warm the cache: %w", err)
		}
		known = known || shown
	}
	if known {
		return nil
	}
	return g.caches.layers().LayBuilt()
}

// compile does so for one suite. It reports whether it was known what that asks for.
func (g *warmer) compile(ctx context.Context, t GoTest) (known bool, err error) {
	modules, key, from := g.goKeys(ctx, t)
	if key == "" {
		return false, nil
	}
	layers := g.caches.layers()
	analysis := modules + "-tools"
	known, near, err := layers.LayUsed(modules, key, from)
	if err != nil {
		return false, err
	}
	tools, made, err := layers.LayUsed(analysis, modules, cache.Sources{})
	if known = known || tools; err != nil || near {
		return known, err
	}
	if !known { // perhaps another project of the machine has it
		if err := layers.LayBuilt(); err != nil {
			return false, err
		}
	}
	if !made {
		if err := g.tools(ctx, t); err != nil {
			return false, err
		}
		if err := errors.Join(layers.Promote(), layers.NoteUsed(analysis, modules, cache.Sources{})); err != nil {
			return false, err
		}
	}
	// Everything is compiled and vetted as for the tests, and then a program that
	// does nothing is run in the place of each.
	argv := []string{"go", "test", "-json", "-count=1", "-exec", "true"}
	tool, err := g.unlinked()
	if err != nil {
		return false, err
	}
	if tool != "" {
		argv = append(argv, "-toolexec", tool)
	}
	argv = slices.Concat(argv, []string{"-cover"}, t.flags(), t.packages())
	res, err := g.Run(ctx, Command{Argv: argv, Dir: t.Dir, Env: t.env(), Timeout: installTime})
	if err != nil || res.TimedOut {
		return true, nil //nolint:nilerr // the tests will tell
	}
	return true, errors.Join(layers.Promote(), layers.NoteUsed(modules, key, from))
}

// tools makes what tests need beside compiled packages, and the same for every
// change: what the analysis of the change (govet) has to know of other packages, and
// the program that counts coverage, which go links when it is first needed. Where
// either fails, the tests or the engine will tell.
func (g *warmer) tools(ctx context.Context, t GoTest) error {
	for _, c := range []Command{
		{Argv: append([]string{"go", "vet", "-json"}, t.packages()...), Dir: t.Dir, Env: []string{"GOFLAGS="}, Timeout: installTime},
		{Argv: []string{"go", "-C", g.box.Place.Results, "tool", "covdata"}, Env: []string{"GOFLAGS=", "GOWORK=off"}, Timeout: installTime},
	} {
		if _, err := g.Run(ctx, c); err != nil && ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// unlinked is a program by which the go command runs its tools, but for the linker,
// which takes longer than all the rest and leaves nothing for later. It does not
// change what compiled packages are filed under. Empty where there is no shell.
func (g *warmer) unlinked() (string, error) {
	const script = `#!/bin/sh
case $1 in
*/link)
	if [ "$2" != -V=full ]; then
		while [ $# -gt 1 ]; do
			if [ "$1" = -o ]; then : >"$2" && chmod 755 "$2"; exit; fi
			shift
		done
	fi ;;
esac
exec "$@"
`
	path := filepath.Join(g.box.Place.Home, "unlinked")
	if _, err := os.Stat("/bin/sh"); err != nil || strings.ContainsAny(path, " '\"") {
		return "", nil //nolint:nilerr // then the linker runs
	}
	return path, errors.Join(os.WriteFile(path, []byte(script), 0o644), os.Chmod(path, 0o755))
}

// The flags and variables that choose how packages are compiled, and no programs.
var (
	goChoices      = []string{"race", "msan", "asan"}
	goValueChoices = []string{"tags", "covermode", "coverpkg"}
	goEnvChoices   = []string{"GOWORK", "CGO_ENABLED", "GOEXPERIMENT"}
)

func (t GoTest) flags() []string {
	var out []string
	for i, flag := range t.Flags {
		name, _, valued := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		switch {
		case !strings.HasPrefix(flag, "-"):
		case slices.Contains(goChoices, name), valued && slices.Contains(goValueChoices, name):
			out = append(out, flag)
		case slices.Contains(goValueChoices, name) && i+1 < len(t.Flags):
			out = append(out, flag+"="+t.Flags[i+1])
		}
	}
	return out
}

func (t GoTest) packages() []string {
	return slices.DeleteFunc(slices.Clone(t.Packages), func(name string) bool { return strings.HasPrefix(name, "-") })
}

func (t GoTest) env() []string {
	return slices.DeleteFunc(slices.Clone(t.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !slices.Contains(goEnvChoices, name)
	})
}

// compile prepares the tests in Go.
func (w *Workspace) compile(ctx context.Context) error {
	g := &warmer{runner: w.runner, caches: w.caches, tree: w.tree, exact: w.opts.GoTests != nil}
	return g.warm(ctx, func() []GoTest {
		switch {
		case w.head != nil:
			w.tests = w.head.tests
		case w.opts.GoTests != nil:
			w.tests = w.opts.GoTests(ctx, w)
		default:
			w.tests = []GoTest{{Dir: w.opts.Dir, Packages: []string{"./..."}}}
		}
		return w.tests
	})
}
