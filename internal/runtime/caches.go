package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/cache"
)

// caches are the layers of this workspace.
func (w *Workspace) caches() cache.Layers {
	l := cache.Layers{Lower: w.place.layers(), Upper: w.place.packages()}
	if w.user != nil {
		l.Own = w.user.own
	}
	return l
}

// guarded reports whether the code cannot write to what outlives the run.
func (w *Workspace) guarded() bool {
	return w.user != nil || w.walls.confines() || w.driver.name() == "container"
}

// layCaches fills the workspace's caches with what earlier runs compiled and
// fetched before any test. Where the code could change that, it starts with
// nothing.
func (w *Workspace) layCaches() error {
	if !w.guarded() || !w.tracked.hasGo() {
		return nil
	}
	if err := os.MkdirAll(w.place.layers(), 0o755); err != nil {
		return fmt.Errorf("make cache: %w", err)
	}
	return w.caches().Lay()
}

// layDownloads brings what package managers have fetched, once.
func (w *Workspace) layDownloads() error {
	if w.deps.laid || !w.guarded() {
		return nil
	}
	w.deps.laid = true
	return w.caches().LayDownloads()
}

// keepDownloads takes over what package managers fetched for trusted code.
func (w *Workspace) keepDownloads() error {
	if !w.deps.laid || !w.opts.Trusted {
		return nil
	}
	return w.caches().PromoteDownloads()
}

// warmGo downloads and compiles what the modules of the workspace need, the
// standard library first of all, and takes that over for every tree that is opened
// from now on. The go command runs no code of what it compiles, and files each
// result under the digest of all that it was made of.
func (w *Workspace) warmGo(ctx context.Context) error {
	if !w.guarded() || w.foreign {
		return nil
	}
	version, module := w.goKeys(ctx)
	if module == "" {
		return nil
	}
	done := filepath.Join(w.place.layers(), "warmed")
	mark, known := filepath.Join(done, module), filepath.Join(done, version)
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	needs, ok := w.goNeeds(ctx)
	if !ok {
		return nil // the tests will tell
	}
	had, err := os.ReadFile(known)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("warm the cache: %w", err)
	}
	all := strings.Fields(string(had))
	fresh := slices.DeleteFunc(needs, func(name string) bool { return slices.Contains(all, name) })
	if len(fresh) > 0 {
		// Everything is compiled, vetted and linked as for the tests, and then a
		// program that does nothing is run in the place of each.
		res, err := w.Run(ctx, Command{Argv: []string{"go", "test", "-json", "-exec", "true", "-count=1", "-cover", "./..."}, Dir: w.opts.Dir, Timeout: installTime})
		if err != nil || res.TimedOut {
			return nil //nolint:nilerr // as above
		}
		if err := w.caches().Promote(); err != nil {
			return err
		}
	}
	all = slices.Compact(slices.Sorted(slices.Values(append(all, fresh...))))
	return errors.Join(os.MkdirAll(done, 0o755), os.WriteFile(known, []byte(strings.Join(all, "\n")), 0o644), os.WriteFile(mark, nil, 0o644))
}

// goNeeds lists the packages that are not the project's own but that its packages
// and tests are made of, with the versions of their modules.
func (w *Workspace) goNeeds(ctx context.Context) ([]string, bool) {
	const others = `{{if not .ForTest}}{{with .Module}}{{if and .Version (not .Main)}}{{$.ImportPath}}@{{.Version}}{{end}}{{else}}{{.ImportPath}}{{end}}{{end}}`
	res, err := w.Run(ctx, Command{Argv: []string{"go", "list", "-e", "-deps", "-test", "-f", others, "./..."}, Dir: w.opts.Dir, Timeout: installTime})
	if err != nil || res.ExitCode != 0 {
		return nil, false
	}
	return strings.Fields(string(res.Stdout)), true
}

// goKeys names the toolchain with what changes its results, and all that decides
// which modules are needed; the latter is empty where there is no module.
func (w *Workspace) goKeys(ctx context.Context) (toolchain, module string) {
	root, err := os.OpenRoot(w.place.tree)
	if err != nil {
		return "", ""
	}
	defer func() { _ = root.Close() }()
	sum, found := sha256.New(), false
	for dir := filepath.Clean(filepath.FromSlash("./" + w.opts.Dir)); ; dir = filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
			data, err := rooted.Read(root, filepath.ToSlash(filepath.Join(dir, name)), maxGoFile)
			found = found || err == nil && len(data) > 0
			_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(data))
			_, _ = sum.Write(data)
		}
		if dir == "." {
			break
		}
	}
	if _, err := w.find("go"); !found || err != nil {
		return "", ""
	}
	version, err := w.Run(ctx, Command{Argv: []string{"go", "version"}, Dir: w.opts.Dir, Timeout: installTime})
	if err != nil || version.ExitCode != 0 {
		return "", ""
	}
	tool := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", version.Stdout, lookup(w.env, "GOFLAGS"), lookup(w.env, "CGO_ENABLED")))
	_, _ = sum.Write(tool[:])
	return "go-" + hex.EncodeToString(tool[:])[:32], hex.EncodeToString(sum.Sum(nil))[:32]
}

// maxGoFile bounds a file that says what a module needs.
const maxGoFile = 16 << 20
