package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// view is the working copy with its untracked files entered into an index of
// our own, so that one comparison sees committed, uncommitted and untracked
// files alike, renames between them included.
type view struct {
	*repo
	root      *os.Root // the working tree, reads never leave it; nil when commits are compared
	reader    *rooted.Reader
	tmp       string
	dirty     bool
	untracked []string
	packages  map[string]bool // folders, whether they hold installed packages
	ignore    []string
	// everything says that every file is listed, not what a change touched.
	everything bool
}

func (r *repo) workingView(ctx context.Context, ignore []string) (*view, error) {
	root, err := os.OpenRoot(r.top)
	if err != nil {
		return nil, fmt.Errorf("open working copy: %w", err)
	}
	v := &view{repo: &repo{top: r.top, index: r.index, objects: r.objects, config: r.config, limit: r.limit, secret: r.secret}, root: root, reader: rooted.NewReader(root), ignore: ignore}
	if err := v.fill(ctx); err != nil {
		v.close()
		return nil, fmt.Errorf("look at working copy: %w", err)
	}
	return v, nil
}

func (v *view) close() {
	// Reading only: nothing can be lost when closing or removing fails.
	v.reader.Close()
	_ = v.root.Close()
	if v.tmp != "" {
		_ = os.RemoveAll(v.tmp)
	}
}

func (v *view) fill(ctx context.Context) error {
	if err := v.isolate(); err != nil {
		return err
	}
	if err := v.status(ctx); err != nil {
		return err
	}
	if len(v.untracked) == 0 {
		return nil
	}
	_, err := v.gitInput(ctx, strings.Join(v.untracked, "\x00")+"\x00", "none",
		"add", "--intent-to-add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
	return err
}

// isolate moves the index and new objects into a scratch directory.
func (v *view) isolate() (err error) {
	if v.tmp, err = os.MkdirTemp("", "qa-change-"); err != nil {
		return err
	}
	objects := filepath.Join(v.tmp, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil {
		return err
	}
	index := filepath.Join(v.tmp, "index")
	if err := copyFile(v.repo.index, index); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	v.scratch = []string{
		"GIT_INDEX_FILE=" + index,
		"GIT_OBJECT_DIRECTORY=" + objects,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoteAlternate(v.objects),
	}
	return nil
}

// quoteAlternate writes a directory as git reads it in a colon-separated list.
func quoteAlternate(dir string) string {
	if !strings.ContainsAny(dir, ":\"\\") {
		return dir
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(dir) + `"`
}

// copyFile copies with modification time: git looks at the content of files
// that are as young as the index, and trusts the index for older ones.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		return errors.Join(err, dst.Close())
	}
	if err := dst.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// installed reports whether an untracked file lies among installed packages: in
// node_modules, or in a Python environment, which not every project ignores.
func (v *view) installed(path string) bool {
	for at, c := range path {
		if c != '/' {
			continue
		}
		dir := path[:at]
		is, asked := v.packages[dir]
		if !asked {
			_, err := v.root.Lstat(filepath.Join(filepath.FromSlash(dir), "pyvenv.cfg"))
			is = err == nil || dir == "node_modules" || strings.HasSuffix(dir, "/node_modules")
			if v.packages == nil {
				v.packages = map[string]bool{}
			}
			v.packages[dir] = is
		}
		if is {
			return true
		}
	}
	return false
}

// status finds untracked files and whether anything is uncommitted.
func (v *view) status(ctx context.Context) error {
	out, err := v.git(ctx, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty")
	if err != nil {
		return err
	}
	var open []string
	for _, record := range splitNull(out) {
		if len(record) < 4 {
			return fmt.Errorf("unexpected record %q of git status", record)
		}
		state, path := record[:2], record[3:]
		if v.ignored(path) {
			continue
		}
		switch {
		case state == "??":
			if strings.HasSuffix(path, "/") {
				continue // a repository inside the repository: not ours
			}
			if v.installed(path) {
				continue
			}
			v.untracked = append(v.untracked, path)
		case strings.Contains(state, "U"), state == "AA", state == "DD":
			open = append(open, fmt.Sprintf("%q", path))
		}
		v.dirty = true
	}
	if len(open) > 0 {
		return unmerged(open[:min(len(open), 5)])
	}
	return nil
}

func (v *view) ignored(path string) bool {
	for _, dir := range v.ignore {
		dir = strings.Trim(filepath.ToSlash(filepath.Clean(dir)), "/")
		if dir != "" && dir != "." && (path == dir || strings.HasPrefix(path, dir+"/")) {
			return true
		}
	}
	return false
}

// diffFlags make the output independent of the user's and the repository's
// settings.
func diffFlags() []string {
	return []string{
		"--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "-O/dev/null",
		"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=dirty",
		"--find-renames", "--find-copies", "-l1000", "--inter-hunk-context=0",
		"--diff-algorithm=histogram", "--no-indent-heuristic", "--no-abbrev",
	}
}

// changed compares a commit with the working copy. No commit compares with
// nothing: every file is added.
func (v *view) changed(ctx context.Context, commit string) ([]entry, error) {
	if commit == "" {
		empty, err := v.line(ctx, "hash-object", "-t", "tree", "/dev/null")
		if err != nil {
			return nil, err
		}
		commit = empty
	}
	return v.diff(ctx, commit)
}

// diff runs git diff with raw records and patch. A patch too large to hold is
// read in portions of files.
func (v *view) diff(ctx context.Context, revisions ...string) ([]entry, error) {
	entries, err := v.hunks(ctx, revisions, nil)
	if errors.Is(err, errTooMuch) {
		return v.portions(ctx, revisions)
	}
	if err != nil {
		return nil, err
	}
	return entries, v.uncover(ctx, entries, revisions)
}

// hunks are the records of git diff with what was removed and added; no paths are
// all of them.
func (v *view) hunks(ctx context.Context, options, paths []string) ([]entry, error) {
	entries, patch, err := v.records(ctx, append([]string{"--patch", "--unified=0"}, options...), paths)
	if err != nil {
		return nil, err
	}
	return entries, attach(entries, patch)
}

// records are those of git diff, and the patch where the options ask for it.
func (v *view) records(ctx context.Context, options, paths []string) ([]entry, []byte, error) {
	out, err := v.git(ctx, slices.Concat([]string{"diff", "--raw", "-z"}, diffFlags(), options, []string{"--"}, paths)...)
	if err != nil {
		return nil, nil, err
	}
	return parseRaw(out)
}

// all lists every tracked and untracked file as added.
func (v *view) all(ctx context.Context) ([]entry, error) {
	v.everything = true
	out, err := v.git(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, record := range splitNull(out) {
		meta, path, ok := strings.Cut(record, "\t")
		mode, _, _ := strings.Cut(meta, " ")
		if !ok || len(mode) != 6 {
			return nil, fmt.Errorf("unexpected record %.80q of git ls-files", record)
		}
		if _, err := v.root.Lstat(path); err != nil {
			continue // deleted, not yet committed
		}
		entries = append(entries, entry{oldMode: "000000", newMode: mode, status: 'A', path: path})
	}
	return entries, nil
}

// content reads the start of a regular file of the working tree, nil for
// anything else: links are never followed.
func (v *view) content(path string, limit int64) []byte {
	if info, err := v.reader.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, info, err := v.reader.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, min(limit, info.Size()))
	n, err := io.ReadFull(f, b)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // no content to classify by
		return nil
	}
	return b[:n]
}

// isBinary looks for zero bytes, as git does. A file of a known language is
// text in spite of a few: they would hide its lines from every reader.
func isBinary(content []byte, language string) bool {
	content = content[:min(len(content), 8000)]
	zeros := bytes.Count(content, []byte{0})
	if language != "" {
		return zeros*20 > len(content)
	}
	return zeros > 0
}
