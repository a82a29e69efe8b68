package runtime

import (
	"context"
	"iter"

	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/tree"
)

// files are those of a copy, as whoever runs its tests sees them.
type files struct{ tree *tree.Tree }

// Write puts a file, relative to the root and slash-separated, into the copy.
// It never leaves the tree, not even through a link. Restore undoes it.
func (f files) Write(name string, data []byte) error { return f.tree.Write(name, data) }

// Remove takes a file out of the copy; Restore brings it back.
func (f files) Remove(name string) error { return f.tree.Remove(name) }

// Restore puts the project's files back to what they were when the workspace was
// opened, and lists those that were not: see [tree.Tree.Restore].
func (f files) Restore(ctx context.Context) ([]string, error) { return f.tree.Restore(ctx) }

// Afresh takes away what commands left in their home and among temporary files.
func (f files) Afresh(ctx context.Context) error { return f.tree.Afresh(ctx) }

// Tracks reports whether git knows a file of the copy.
func (f files) Tracks(name string) bool { return f.tree.Tracked.File(name) }

// Tracked gives the names of the files that git knows.
func (f files) Tracked() iter.Seq[string] { return f.tree.Tracked.Files() }

// Had gives the files of the copy that git does not know and that were there before any
// test ran: what a build left, say.
func (f files) Had() []string { return tree.Had(f.tree) }

// Stir is what came and went by its names.
type Stir = tree.Stir

// Stirred tells what came and went in the project's directories since the last Restore,
// before and after what was built last.
func (f files) Stirred() (earlier, since tree.Stir) { return f.tree.Names.Stirred() }

// Packages reports whether a path is a directory of installed packages.
func (f files) Packages(name string) bool { return tree.IsPackages(f.tree, name) }

// Digest reads the workspace's tree.
func (f files) Digest(ctx context.Context) (Digest, error) { return f.tree.Digest(ctx) }

// MarkReads begins to watch which files are opened; no command may run meanwhile. See
// [tree.Tree.MarkReads].
func (f files) MarkReads(ctx context.Context, extra ...string) error {
	return f.tree.MarkReads(ctx, extra...)
}

// MarkMore watches packages beside what is watched. Commands may run meanwhile.
func (f files) MarkMore(extra ...string) error { return f.tree.MarkMore(extra...) }

// Reads tells what was opened since MarkReads, which stays in force.
func (f files) Reads(ctx context.Context) (Reads, error) { return f.tree.Reads(ctx) }

// Elsewhere is a package of the repository that its own code does not find in the
// tree but as an installed copy.
type Elsewhere = packages.Elsewhere

// OwnElsewhere looks which packages of the repository code in some directories imports
// from an installed copy: what such code tests is not the change.
func (w *Workspace) OwnElsewhere(dirs ...string) []Elsewhere {
	m := packages.Modules{Tree: w.box.Place.Tree, Tracked: w.tree.Tracked}
	if w.head != nil {
		m.Shared = w.head.box.Place.Tree
	}
	return m.Elsewhere(dirs...)
}
