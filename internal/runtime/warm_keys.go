package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// goKeys name what decides what a suite is compiled to: modules of other packages,
// whole of all; empty where there is no module. The project's own packages count where
// they will be tested and found again: at a path that later runs have as well.
func (g *warmer) goKeys(ctx context.Context, t GoTest) (modules, whole string) {
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
		return "", ""
	}
	version, err := g.Run(ctx, Command{Argv: []string{"go", "version"}, Dir: t.Dir, Timeout: installTime})
	if err != nil || version.ExitCode != 0 {
		return "", ""
	}
	_, _ = fmt.Fprintf(sum, "%s %s %s %q", version.Stdout, environ.Lookup(g.env, "GOFLAGS"), environ.Lookup(g.env, "CGO_ENABLED"), []any{t.Dir, t.flags(), t.Packages, t.env()})
	modules = hex.EncodeToString(sum.Sum(nil))[:31] + "m" // never the name of a whole
	if g.exact && g.settled() {
		_, _ = fmt.Fprintf(sum, " %s", g.box.Shown(g.box.Place.Home))
		if err := g.hashGo(sum); err != nil {
			return "", ""
		}
	}
	return modules, hex.EncodeToString(sum.Sum(nil))[:32]
}

// settled reports whether commands see the tree at the path that every run of the
// checkout has.
func (g *warmer) settled() bool {
	return g.box.Place.Stable || g.box.Moves() && g.box.Head.Stable
}

// goSources are the ends of the names of what the go command compiles.
var goSources = []string{".go", ".s", ".S", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".syso"}

// hashGo digests what the project's own packages are compiled from, before any code
// of the project ran. What they embed is left out: a package that embeds another
// file than before is compiled by the tests.
func (g *warmer) hashGo(sum io.Writer) error {
	root, err := os.OpenRoot(g.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !slices.Contains(goSources, filepath.Ext(d.Name())):
			return nil
		}
		f, err := root.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		digest := sha256.New()
		if _, err := io.Copy(digest, f); err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%q %x\n", path, digest.Sum(nil))
		return err
	})
}

// maxGoFile bounds a file that says what a module needs.
const maxGoFile = 16 << 20
