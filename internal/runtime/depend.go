package runtime

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Dependencies says whose packages a workspace runs with.
type Dependencies struct {
	// Own says that it has an installation of its own: head always has, base when
	// it needs another one than head and could have it.
	Own bool
	// Shared is why base runs with head's packages although it needs others: what
	// fails on both sides then is not known to have failed before. Empty when it
	// needs the same, or has its own.
	Shared string
}

// dependencies is what a workspace knows about its packages.
type dependencies struct {
	Dependencies
	unfit []string // why head's are not those that the change asks for
	// mixed are the directories whose packages code of the project may have made
	// or changed, and why; python that of the environment. Base cannot share them.
	mixed  map[string]string
	python string
	// anew are the directories of packages that the setup commands changed.
	anew  map[string]bool
	tests []GoTest // what was compiled before any test
	laid  bool     // what package managers fetched earlier is at hand
	// editable says that packages are installed from the checkout by reference,
	// fresh that this run has installed those of Node.js, prepared what was done.
	editable, fresh bool
	prepared        []string
	unprepared      string // what could not be installed
	learned
}

// learned is what the repository's own workflow taught: its job, and the builds of it
// that were run, with what came of them.
type learned struct {
	job     ci.Job
	built   []ci.Command
	unbuilt string
	rebuilt []string
}

// Dependencies says whose packages the workspace runs with.
func (w *Workspace) Dependencies() Dependencies {
	if w.parent == nil {
		return Dependencies{Own: true}
	}
	return w.deps.Dependencies
}

// A needed is what base has to have for itself.
type needed struct {
	// node are the directories, relative to the root, whose packages differ;
	// python says that the environment does, tools that the toolchains do that we
	// provide, asks that base wants another one of the machine.
	node                []string
	python, tools, asks bool
	// files are those in which the trees need different things.
	files []string
	// folders are the package folders of head that base must not share, relative
	// to the root.
	folders []string
}

// installs reports whether there is something to provide, any whether there is
// something to see to at all.
func (n needed) installs() bool { return len(n.node) > 0 || n.python || n.tools }
func (n needed) any() bool      { return n.installs() || n.asks }

// why names what differs.
func (n needed) why() string {
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

// needsOf compares a fresh tree of base with the checkout; neither is left by a
// link.
func (w *Workspace) needsOf(tree string) (needed, error) {
	head, err := os.OpenRoot(w.opts.Root)
	if err != nil {
		return needed{}, fmt.Errorf("compare dependencies: %w", err)
	}
	defer func() { _ = head.Close() }()
	base, err := os.OpenRoot(tree)
	if err != nil {
		return needed{}, fmt.Errorf("compare dependencies: %w", err)
	}
	defer func() { _ = base.Close() }()
	n, err := w.compare(head.FS(), base.FS())
	if err != nil {
		return n, fmt.Errorf("compare dependencies: %w", err)
	}
	return n, nil
}

// compare tells what the tree of base needs otherwise than the checkout. Of either
// only what no test has touched is read.
func (w *Workspace) compare(head, base fs.FS) (needed, error) {
	var n needed
	installs, err := w.nodeInstalls(head)
	if err != nil {
		return n, err
	}
	tools := toolsDiffer(toolchain.Resolve(head, w.opts.Dir), toolchain.Resolve(base, w.opts.Dir), w.opts.Driver)
	n.tools = len(tools) > 0 && w.opts.Driver == "image"
	n.asks, n.files = len(tools) > 0 && !n.tools, tools
	for dir, folders := range installs {
		diff := toolchain.NodeNeeds(head, dir).Differ(toolchain.NodeNeeds(base, dir))
		// Other toolchains make another installation, on the image of everything.
		if why := w.deps.mixed[dir]; len(diff) == 0 && why != "" {
			diff = []string{why}
		}
		if len(diff) > 0 || n.tools {
			n.node, n.files, n.folders = append(n.node, dir), append(n.files, diff...), append(n.folders, folders...)
		}
	}
	slices.Sort(n.node)
	for _, dir := range pythonDirs(head, base, w.opts.Dir) {
		if diff := toolchain.PythonNeeds(head, dir).Differ(toolchain.PythonNeeds(base, dir)); len(diff) > 0 || n.tools {
			n.python, n.files = true, append(n.files, diff...)
		} else if w.deps.python != "" {
			n.python, n.files = true, append(n.files, w.deps.python)
		}
	}
	slices.Sort(n.files)
	n.files = slices.Compact(n.files)
	return n, nil
}

// nodeInstalls lists the directories whose packages base would share, with the
// package folders that each serves: where packages are installed, and where they
// would be.
func (w *Workspace) nodeInstalls(head fs.FS) (map[string][]string, error) {
	found := map[string][]string{}
	if toolchain.Resolve(head, w.opts.Dir).Node != nil {
		found[nodeRoot(head, w.opts.Dir)] = nil
	}
	err := filepath.WalkDir(w.box.Place.Tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(w.box.Place.Tree, path)
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" || w.tree.Tracked.Venv(w.box.Place.Tree, rel):
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

// pythonDirs lists the directories that say what is in the environment of either.
func pythonDirs(head, base fs.FS, dir string) []string {
	var dirs []string
	for _, fsys := range []fs.FS{head, base} {
		if in := toolchain.Resolve(fsys, dir).InstallPython(toolchain.At(fsys, dir)); in != nil && !slices.Contains(dirs, in.Dir) {
			dirs = append(dirs, in.Dir)
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
			source := pair[0].Source
			if source == "" {
				source = pair[1].Source
			}
			file, _, _ := strings.Cut(source, " ")
			out = append(out, file)
		}
	}
	return out
}
