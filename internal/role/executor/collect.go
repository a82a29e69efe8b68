package executor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// maxReport bounds one report file; a larger one is not read.
const maxReport = 2 << 30

// outDir makes the directory a command writes its reports to, with what the
// command needs in it. Code of an earlier command could write where it is to
// be: whatever stands there goes, and no link is followed.
func outDir(tree Tree, name string) (string, error) {
	root, err := openIn(tree, tree.Results())
	if err != nil {
		return "", fmt.Errorf("make report directory: %w", err)
	}
	defer func() { _ = root.Close() }()
	// The code may run as another user; the directory lies in a private place.
	if err := errors.Join(rooted.Remove(root, name), root.Mkdir(name, 0o755), root.Chmod(name, 0o777)); err != nil {
		return "", fmt.Errorf("make report directory: %w", err)
	}
	return filepath.Join(tree.Results(), name), nil
}

// openIn opens a directory of the tree or of its results. Code that runs as our own
// user can put a link in the place of either: one that leads out of what is the
// workspace's is an error.
func openIn(tree Tree, dir string) (*os.Root, error) {
	top := filepath.Dir(tree.Results())
	rel, err := filepath.Rel(top, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return os.OpenRoot(dir)
	}
	home, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = home.Close() }()
	return home.OpenRoot(rel)
}

// lay writes what the command needs into its report directory.
func lay(tree Tree, dir string, files map[string]string) error {
	if len(files) == 0 {
		return nil
	}
	root, err := openIn(tree, dir)
	if err != nil {
		return fmt.Errorf("write what the tests need: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		at := filepath.Dir(filepath.FromSlash(name))
		if err := root.MkdirAll(at, 0o755); err != nil {
			return fmt.Errorf("write what the tests need: %w", err)
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(files[name], "#!") { // another program starts it
			mode = 0o755
		}
		// What the run leaves lies beside it, written by another user.
		if err := errors.Join(root.Chmod(at, 0o777), root.WriteFile(filepath.FromSlash(name), []byte(files[name]), mode)); err != nil {
			return fmt.Errorf("write what the tests need: %w", err)
		}
	}
	return nil
}

// collector takes report files out of the reach of the code that wrote them.
// They are hostile: only regular files below the place they belong to count,
// no link is followed out of it.
type collector struct {
	tree   Tree
	inv    qa.Invocation
	out    string
	stdout string // file that takes the command's standard output, or ""
}

// laid puts what the command needs where its reports will be, and gives what takes
// them from there.
func laid(tree Tree, inv qa.Invocation, out string) (*collector, error) {
	if err := lay(tree, out, inv.Files); err != nil {
		return nil, err
	}
	c := &collector{tree: tree, inv: inv, out: out}
	for _, r := range slices.Concat(inv.Tests, inv.Coverage) {
		if r.Stdout {
			c.stdout = filepath.Join(out, "stdout.report")
		}
	}
	return c, c.clear()
}

// clear removes report files that an earlier run, or a commit, left in the
// tree: a stale report must never be taken for this run's.
func (c *collector) clear() error {
	return c.each(slices.Concat(c.inv.Tests, c.inv.Coverage), func(root *os.Root, name string) error {
		if err := root.Remove(name); err != nil {
			return fmt.Errorf("remove stale report %s: %w", name, err)
		}
		return nil
	})
}

// keep copies the reports to a place of ours and gives the paths of the copies.
func (c *collector) keep(place rooted.Place) (tests, coverage []string, err error) {
	to, err := place.Make()
	if err != nil {
		return nil, nil, fmt.Errorf("keep reports: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if tests, err = c.copy(c.inv.Tests, to, place, "tests"); err != nil {
		return nil, nil, err
	}
	coverage, err = c.copy(c.inv.Coverage, to, place, "coverage")
	return tests, coverage, err
}

func (c *collector) copy(reports []qa.ReportFile, to *os.Root, place rooted.Place, kind string) ([]string, error) {
	var out []string
	err := c.each(reports, func(root *os.Root, name string) error {
		kept := fmt.Sprintf("%s-%d-%s", kind, len(out)+1, path.Base(name))
		if err := copyOut(c.tree, root, name, to, kept); err != nil {
			return fmt.Errorf("keep report %s: %w", name, err)
		}
		out = append(out, place.Join(kept).Path())
		return nil
	})
	return out, err
}

// each calls do for every regular file that the reports name. A path is
// absolute below the output directory, or a glob relative to the command's
// directory.
func (c *collector) each(reports []qa.ReportFile, do func(*os.Root, string) error) error {
	for _, r := range reports {
		base, pattern := abs(c.tree, c.inv.Dir), filepath.ToSlash(r.Path)
		switch {
		case r.Stdout:
			base, pattern = c.out, filepath.Base(c.stdout)
		case filepath.IsAbs(r.Path):
			rel, err := filepath.Rel(c.out, r.Path)
			if err != nil || strings.HasPrefix(rel, "..") {
				return fmt.Errorf("report %s is outside the report directory", r.Path)
			}
			base, pattern = c.out, filepath.ToSlash(rel)
		}
		if err := eachIn(c.tree, base, pattern, do); err != nil {
			return err
		}
	}
	return nil
}

func eachIn(tree Tree, base, pattern string, do func(*os.Root, string) error) error {
	root, err := openIn(tree, base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", base, err)
	}
	defer root.Close()
	names, err := doublestar.Glob(root.FS(), path.Clean(pattern), doublestar.WithFilesOnly(), doublestar.WithNoFollow())
	if err != nil {
		return fmt.Errorf("report pattern %q: %w", pattern, err)
	}
	slices.Sort(names)
	for _, name := range names {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := do(root, name); err != nil {
			return err
		}
	}
	return nil
}

// copyLocal copies what a command of the tree wrote, with the paths that the tree
// has for us.
func copyLocal(tree Tree, to io.Writer, from io.Reader) (int64, error) {
	local := tree.Local(to)
	n, err := io.Copy(local, from)
	return n, errors.Join(err, local.Close())
}

func copyOut(tree Tree, root *os.Root, name string, to *os.Root, kept string) error {
	in, _, err := rooted.Open(root, name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := rooted.Fresh(to, kept)
	if err != nil {
		return err
	}
	n, err := copyLocal(tree, out, io.LimitReader(in, maxReport+1))
	if err == nil && n > maxReport {
		err = fmt.Errorf("larger than %d bytes", int64(maxReport))
	}
	return errors.Join(err, out.Close())
}
