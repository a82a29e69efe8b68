package golang

import (
	"bytes"
	"context"
	"errors"
	"go/build"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/scan/engine"
)

// eachModule calls run once for each Go module that holds changed files, with
// the module's directory and the changed packages in it ("./x").
func eachModule(ctx context.Context, p *engine.Pass, run func(module string, dirs []string) ([]engine.Hit, error)) ([]engine.Hit, error) {
	packages := map[string]map[string]bool{}
	constrained := false
	for _, f := range p.Files {
		dir := path.Dir(f.Path)
		module, ok := module(p.Tree, dir)
		if !ok || hiddenFromGo(f.Path) {
			continue
		}
		if !builds(f) {
			constrained = true
			continue
		}
		if packages[module] == nil {
			packages[module] = map[string]bool{}
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(dir, module), "/")
		if module == "." && dir != "." {
			rel = dir
		}
		packages[module]["./"+rel] = true
	}
	if len(packages) == 0 && constrained {
		return nil, engine.SkipError("build constraints exclude every changed Go file here")
	}
	if len(packages) == 0 {
		return nil, engine.SkipError("no changed Go file belongs to a module (no go.mod above it)")
	}
	var hits []engine.Hit
	var errs []error
	for _, module := range slices.Sorted(maps.Keys(packages)) {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		found, err := run(module, slices.Sorted(maps.Keys(packages[module])))
		hits = append(hits, found...)
		errs = append(errs, err)
	}
	return hits, errors.Join(errs...)
}

// module is the nearest directory above that holds a go.mod.
func module(t *engine.Tree, dir string) (string, bool) {
	for {
		if t.Exists(path.Join(dir, "go.mod")) {
			return dir, true
		}
		if dir == "." {
			return "", false
		}
		dir = path.Dir(dir)
	}
}

// hiddenFromGo reports paths that the go command leaves out of packages.
func hiddenFromGo(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == "testdata" || part == "vendor" || strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// builds reports whether a file belongs to its package here, by its build
// constraints and its name: the go command fails on a package without any.
func builds(f *engine.File) bool {
	here := build.Default
	here.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Source)), nil }
	match, err := here.MatchFile("", path.Base(f.Path))
	return match || err != nil // what cannot be read shall be complained about
}

// goEnv keeps the Go toolchain from being exchanged or fed by what go.mod says.
func goEnv(p *engine.Pass) []string {
	env := []string{"GOFLAGS=", "GOTOOLCHAIN=local"}
	if p.Overlay != "" {
		env[0] += "'-overlay=" + p.Overlay + "'"
	}
	if !p.Hands.Network {
		env = append(env, "GOPROXY=off", "GOSUMDB=off")
	}
	return env
}
