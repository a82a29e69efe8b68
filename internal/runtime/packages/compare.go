package packages

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/walk"
)

// Needed is what base has to have for itself.
type Needed struct {
	// Node are the directories, relative to the root, whose packages differ;
	// Python says that the environment does, Tools that the toolchains do that we
	// provide, Asks that base wants another one of the machine.
	Node                []string
	Python, Tools, Asks bool
	// files are those in which the trees need different things.
	files []string
	// Folders are the package folders of head that base must not share, relative
	// to the root.
	Folders []string
}

// Installs reports whether there is something to provide, Any whether there is
// something to see to at all.
func (n Needed) Installs() bool { return len(n.Node) > 0 || n.Python || n.Tools }
func (n Needed) Any() bool      { return n.Installs() || n.Asks }

// Why names what differs.
func (n Needed) Why() string {
	shown := n.files[:min(len(n.files), 3)]
	more := ""
	if rest := len(n.files) - len(shown); rest > 0 {
		more = fmt.Sprintf(" and %d more", rest)
	}
	return fmt.Sprintf("base runs with head's dependencies, though they differ by %q%s", shown, more)
}

// nodeRoot is the directory whose installation serves another one.
func nodeRoot(fsys fs.FS, dir string) string {
	at := toolchain.At(fsys, dir)
	if in := toolchain.Resolve(fsys, dir).InstallNode(at); in != nil {
		return in.Dir
	}
	return dir
}

// Comparison tells what another tree needs otherwise than the checkout.
type Comparison struct {
	Checkout, Dir, Driver string // as they were asked for
	Python                string // the folder whose environment the tests share
	At                    string // where the copy of head stands
	Tracked               *repository.Tracked
	Made                  *OneSided // in that copy
}

// NeedsOf compares a fresh tree of base with the checkout; neither is left by a
// link.
func (c Comparison) NeedsOf(tree string) (Needed, error) {
	n, err := c.Compare(rooted.FS(c.Checkout), rooted.FS(tree))
	if err != nil {
		return n, fmt.Errorf("compare dependencies: %w", err)
	}
	return n, nil
}

// Compare tells what the tree of base needs otherwise than the checkout. Of either
// only what no test has touched is read.
func (c Comparison) Compare(head, base fs.FS) (Needed, error) {
	var n Needed
	installs, err := c.nodeInstalls(head)
	if err != nil {
		return n, err
	}
	tools := toolsDiffer(toolchain.Resolve(head, c.Dir), toolchain.Resolve(base, c.Dir), c.Driver)
	n.Tools = len(tools) > 0 && c.Driver == "image"
	n.Asks, n.files = len(tools) > 0 && !n.Tools, tools
	for dir, folders := range installs {
		diff := toolchain.NodeNeeds(head, dir).Differ(toolchain.NodeNeeds(base, dir))
		// Other toolchains make another installation, on the image of everything.
		if why := c.Made.Node[dir]; len(diff) == 0 && why != "" {
			diff = []string{why}
		}
		if len(diff) > 0 || n.Tools {
			n.Node, n.files, n.Folders = append(n.Node, dir), append(n.files, diff...), append(n.Folders, folders...)
		}
	}
	slices.Sort(n.Node)
	for _, dir := range PythonDirs(head, base, c.Python) {
		if diff := toolchain.PythonNeeds(head, dir).Differ(toolchain.PythonNeeds(base, dir)); len(diff) > 0 || n.Tools {
			n.Python, n.files = true, append(n.files, diff...)
		} else if c.Made.python != "" {
			n.Python, n.files = true, append(n.files, c.Made.python)
		}
	}
	slices.Sort(n.files)
	n.files = slices.Compact(n.files)
	return n, nil
}

// nodeInstalls lists the directories whose packages base would share, with the
// package folders that each serves: where packages are installed, and where they
// would be.
func (c Comparison) nodeInstalls(head fs.FS) (map[string][]string, error) {
	found := map[string][]string{}
	if toolchain.Resolve(head, c.Dir).Node != nil {
		found[nodeRoot(head, c.Dir)] = nil
	}
	err := walk.Below(c.At, func(rel string, d fs.DirEntry) error {
		switch {
		case !d.IsDir():
		case d.Name() == ".git" || c.Tracked.Venv(c.At, rel):
			return fs.SkipDir
		case d.Name() == "node_modules":
			dir := nodeRoot(head, filepath.ToSlash(filepath.Dir(rel)))
			found[dir] = append(found[dir], rel)
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// PythonDirs lists the directories that say what is in the environment of either.
func PythonDirs(head, base fs.FS, dir string) []string {
	var dirs []string
	for _, fsys := range []fs.FS{head, base} {
		if in := toolchain.PythonOf(fsys, dir); in != nil {
			dirs = each.Added(dirs, in.Dir)
		}
	}
	return dirs
}

// toolsDiffer names the files that ask for other toolchains. Go finds its own by
// the tree, unless we provide it.
func toolsDiffer(head, base toolchain.Wants, driver string) []string {
	var out []string
	pairs := [][2]*toolchain.Want{{head.Node, base.Node}, {head.Python, base.Python}}
	if driver == "image" {
		pairs = append(pairs, [2]*toolchain.Want{head.Go, base.Go})
		if head.Manager != nil && base.Manager != nil && head.Manager.Name == base.Manager.Name {
			pairs = append(pairs, [2]*toolchain.Want{&head.Manager.Version, &base.Manager.Version})
		}
	}
	for _, pair := range pairs {
		// A language that only one side has is none that both run.
		if pair[0] != nil && pair[1] != nil && pair[0].Spec != pair[1].Spec {
			file, _, _ := strings.Cut(cmp.Or(pair[0].Source, pair[1].Source), " ")
			out = append(out, file)
		}
	}
	return out
}
