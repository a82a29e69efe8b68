package scan

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
)

// eachModule calls run once for each Go module that holds changed files, with
// the module's directory and the changed packages in it ("./x").
func eachModule(ctx context.Context, p *Pass, run func(module string, dirs []string) ([]Hit, error)) ([]Hit, error) {
	packages := map[string]map[string]bool{}
	constrained := false
	for _, f := range p.Files {
		dir := path.Dir(f.Path)
		module, ok := p.tree.module(dir)
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
		return nil, errSkip("build constraints exclude every changed Go file here")
	}
	if len(packages) == 0 {
		return nil, errSkip("no changed Go file belongs to a module (no go.mod above it)")
	}
	var hits []Hit
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
func (t *tree) module(dir string) (string, bool) {
	for {
		if t.exists(path.Join(dir, "go.mod")) {
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
func builds(f *File) bool {
	here := build.Default
	here.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Source)), nil }
	match, err := here.MatchFile("", path.Base(f.Path))
	return match || err != nil // what cannot be read shall be complained about
}

// goEnv keeps the Go toolchain from being exchanged or fed by what go.mod says.
func (p *Pass) goEnv() []string {
	env := []string{"GOFLAGS=", "GOTOOLCHAIN=local"}
	if p.overlay != "" {
		env[0] += "'-overlay=" + p.overlay + "'"
	}
	if !p.req.Network {
		env = append(env, "GOPROXY=off", "GOSUMDB=off")
	}
	return env
}
