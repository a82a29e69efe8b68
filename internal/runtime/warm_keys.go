package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// goKeys name what decides what a suite is compiled to: modules of other packages,
// whole of all; empty where there is no module. The project's own packages count where
// they will be tested and found again: at a path that later runs have as well.
func (g *warmer) goKeys(ctx context.Context, t GoTest) (modules, whole string, from cache.Sources) {
	sum, found := sha256.New(), false
	for _, dir := range toolchain.Upwards(t.Dir) {
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
			data, err := rooted.ReadIn(g.box.Place.Tree, path.Join(dir, name), maxGoFile)
			found = found || err == nil && len(data) > 0
			_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(data))
			_, _ = sum.Write(data)
		}
	}
	if _, err := g.find("go"); !found || err != nil {
		return "", "", from
	}
	version, err := g.Run(ctx, Command{Argv: []string{"go", "version"}, Dir: t.Dir, Timeout: installTime})
	if err != nil || version.ExitCode != 0 {
		return "", "", from
	}
	_, _ = fmt.Fprintf(sum, "%s %s %s %q", version.Stdout, environ.Lookup(g.env, "GOFLAGS"), environ.Lookup(g.env, "CGO_ENABLED"), []any{t.Dir, t.flags(), t.Packages, t.env()})
	modules = hex.EncodeToString(sum.Sum(nil))[:31] + "m" // never the name of a whole
	if g.exact && g.settled() {
		at := g.box.Shown(g.box.Place.Home)
		_, _ = fmt.Fprintf(sum, " %s", at)
		if from, err = cache.ReadSources(g.box.Place.Tree, at, sum); err != nil {
			return "", "", from
		}
	}
	return modules, hex.EncodeToString(sum.Sum(nil))[:32], from
}

// settled reports whether commands see the tree at the path that every run of the
// checkout has.
func (g *warmer) settled() bool {
	return g.box.Place.Stable || g.box.Moves() && g.box.Head.Stable
}

// maxGoFile bounds a file that says what a module needs.
const maxGoFile = 16 << 20
