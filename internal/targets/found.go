package targets

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
)

// Framework is that of the first target, empty when there is none.
func (f Found) Framework() string {
	if len(f.Targets) == 0 {
		return ""
	}
	return f.Targets[0].Framework.Framework
}

// Of is the target whose directory holds a path most closely.
func (f Found) Of(file string) (executor.Target, bool) {
	best, found := executor.Target{}, false
	for _, t := range f.Targets {
		dir := t.Dir
		if dir == "." {
			dir = ""
		}
		inside := dir == "" || strings.HasPrefix(file, dir+"/")
		if inside && (!found || len(dir) > len(best.Dir)) {
			best, found = t, true
		}
	}
	return best, found
}

// Builds are the commands of the workflow that build other code of a target and are not run.
func (f Found) Builds(t executor.Target) (out []string) {
	a, err := framework.For(t.Framework.Framework)
	for _, what := range slices.Sorted(maps.Keys(f.Also)) {
		if err == nil && a.Habits.Apart != nil && strings.HasPrefix(f.Also[what], framework.BuildsOther) {
			out = append(out, what)
		}
	}
	return out
}

// GoTests are the suites in Go, as they will be run with coverage.
func GoTests(ctx context.Context, ws *runtime.Workspace, c *config.Config) []runtime.GoTest {
	found, err := In(ctx, ws, c)
	if err != nil {
		return nil // said when the tests are to be run
	}
	var out []runtime.GoTest
	for _, t := range found.Targets {
		d := t.Framework
		if d.Framework != golang.Gotest.Name {
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
