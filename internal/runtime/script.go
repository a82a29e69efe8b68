package runtime

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Script is a script of the package.json of a folder. Without a name it is anything that
// is run there with the programs of its packages.
type Script struct{ Dir, Name string }

// runtimes are the programs that run the tests of scripts. They are taken from before the
// programs of packages: whoever writes the change may have put one of that name there.
var runtimes = []string{"node", "bun", "deno", "sh"}

// asScript gives a command what package managers give the commands of a script: the
// programs of installed packages first on PATH, and what package.json says of the package.
func (r *runner) asScript(c Command) Command {
	dir := c.Script.Dir
	if c.Script.Name != "" {
		at := filepath.Join(r.box.Place.Tree, filepath.FromSlash(dir))
		told := toolchain.ScriptVariables(rooted.FS(r.box.Place.Tree), dir, c.Script.Name)
		c.Env = environ.Merge(told, []string{"INIT_CWD=" + at, "npm_package_json=" + filepath.Join(at, "package.json")}, c.Env)
	}
	bins := binPath(r.box.Place.Tree, dir)
	switch {
	case bins == "" || environ.Lookup(c.Env, "PATH") != "":
	case r.box.Foreign: // only there it is known what PATH is
		first := `PATH="$1:$PATH"; export PATH; shift; exec "$@"`
		if slices.Contains(runtimes, c.Argv[0]) {
			first = `bins=$1; shift; at=$(command -v "$1") && { shift; set -- "$at" "$@"; }; PATH="$bins:$PATH"; export PATH; exec "$@"`
		}
		c.Argv = append([]string{"sh", "-c", first, "sh", bins}, c.Argv...)
	default:
		if at, err := r.find(c.Argv[0]); err == nil && slices.Contains(runtimes, c.Argv[0]) {
			c.Argv = append([]string{at}, c.Argv[1:]...)
		}
		c.Env = environ.Merge(c.Env, []string{"PATH=" + bins + string(os.PathListSeparator) + environ.Lookup(r.env, "PATH")})
	}
	return c
}

// binPath lists the directories, nearest first and joined as on PATH, in which the
// programs of installed packages lie for a directory of a tree.
func binPath(tree, dir string) string {
	if !filepath.IsLocal(filepath.FromSlash(path.Clean("./" + dir))) {
		return ""
	}
	var bins []string
	for _, dir := range toolchain.Upwards(dir) {
		bin := filepath.Join(tree, filepath.FromSlash(dir), "node_modules", ".bin")
		if info, err := os.Stat(bin); err == nil && info.IsDir() {
			bins = append(bins, bin)
		}
	}
	return strings.Join(bins, string(os.PathListSeparator))
}
