package runtime

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
)

// Prepare runs a command that makes what tests need, such as the build script of a
// package: as Run does, with the programs that are installed for the directory
// first on PATH, as package managers run scripts.
func (w *Workspace) Prepare(ctx context.Context, dir string, argv, env []string) (process.Result, error) {
	c := Command{Argv: argv, Dir: dir, Env: env, Timeout: installTime, Live: w.opts.Log}
	bins := w.BinPath(dir)
	switch {
	case bins == "" || len(argv) == 0:
	case w.box.Foreign: // only there it is known what PATH is
		c.Argv = append([]string{"sh", "-c", `PATH="$1:$PATH"; export PATH; shift; exec "$@"`, "sh", bins}, argv...)
	default:
		search := environ.Lookup(environ.Merge(w.env, env), "PATH")
		c.Env = environ.Merge(env, []string{"PATH=" + bins + string(os.PathListSeparator) + search})
	}
	res, err := w.Run(ctx, c)
	if err != nil {
		return res, err
	}
	return res, w.tree.Adopt()
}

// BinPath lists the directories, nearest first and joined as on PATH, in which the
// programs of installed packages lie for a directory of the tree.
func (w *Workspace) BinPath(dir string) string {
	if !filepath.IsLocal(filepath.FromSlash(path.Clean("./" + dir))) {
		return ""
	}
	var bins []string
	for dir = path.Clean("./" + dir); ; dir = path.Dir(dir) {
		bin := filepath.Join(w.box.Place.Tree, filepath.FromSlash(dir), "node_modules", ".bin")
		if info, err := os.Stat(bin); err == nil && info.IsDir() {
			bins = append(bins, bin)
		}
		if dir == "." {
			return strings.Join(bins, string(os.PathListSeparator))
		}
	}
}
