package measured

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
)

// Tree is what files the repository has, and how reports may call them.
type Tree struct {
	any     bool     // no repository: every relative name is a path
	roots   []string // spellings of the repository's absDir, slash-separated
	dir     string
	files   map[string]struct{}
	byBase  map[string][]string // lower-case base name → paths, sorted; made by ending
	modules []goModule          // longest path first
	root    *os.Root
	folder  // of the source that was read last
}

// folder is an open folder of the tree.
type folder struct {
	at     string
	inside *os.Root // nil before there is one
}

// goModule is a go.mod file.
type goModule struct{ path, dir string }

const (
	maxTreeFiles  = 2_000_000
	maxSourceFile = 16 << 20
)

// NewTree reads nothing but directory entries and go.mod files.
func NewTree(root, dir string, given []string) (*Tree, error) {
	t := &Tree{dir: relative(filepath.ToSlash(dir))}
	if root == "" && given == nil {
		t.any = true
		return t, nil
	}
	if root != "" {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, err
		}
		t.roots = []string{slashed(abs)}
		if real, err := filepath.EvalSymlinks(abs); err == nil && slashed(real) != t.roots[0] {
			t.roots = append(t.roots, slashed(real))
		}
		if t.root, err = os.OpenRoot(abs); err != nil {
			return nil, err
		}
	}
	tracked := given
	if tracked == nil {
		var err error
		if tracked, err = walk(t.root.FS()); err != nil {
			t.Close()
			return nil, err
		}
	}
	t.files = make(map[string]struct{}, len(tracked))
	for _, name := range tracked {
		t.add(filepath.ToSlash(name))
	}
	slices.SortFunc(t.modules, func(a, b goModule) int { return len(b.path) - len(a.path) })
	return t, nil
}

func (t *Tree) Close() {
	if t.inside != nil {
		t.inside.Close()
	}
	if t.root != nil {
		t.root.Close()
	}
}

func (t *Tree) add(name string) {
	if _, ok := t.files[name]; ok {
		return
	}
	t.files[name] = struct{}{}
	if strings.EqualFold(path.Base(name), "go.mod") {
		if module := modulePath(t.source(name)); module != "" {
			t.modules = append(t.modules, goModule{module, path.Dir(name)})
		}
	}
}

// ending lists the paths with a base name, in lower case. Most reports name files as
// they are, and never ask.
func (t *Tree) ending(base string) []string {
	if t.byBase == nil {
		t.byBase = map[string][]string{}
		for name := range t.files {
			at := strings.ToLower(path.Base(name))
			t.byBase[at] = append(t.byBase[at], name)
		}
		for _, list := range t.byBase {
			slices.Sort(list)
		}
	}
	return t.byBase[base]
}

// walk lists the files under a root that is no git checkout or whose list
// nobody gave, without what package managers put there.
func walk(root fs.FS) (names []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // an unreadable folder holds nothing we can map to
		}
		if d.IsDir() {
			if d.Name() == ".git" || language.IsInstalled(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if names = append(names, name); len(names) > maxTreeFiles {
			return fmt.Errorf("more than %d files under the root, give the list of tracked files", maxTreeFiles)
		}
		return nil
	})
	return names, err
}

// source reads a file of the tree; nil when it cannot be read. Files of one folder
// follow one another in most reports, so the folder stays open: the way there is most
// of the work. What cannot be read from there may be a link to somewhere else in the tree.
func (t *Tree) source(name string) []byte {
	if t.root == nil {
		return nil
	}
	dir, base := path.Split(name)
	if t.inside == nil || t.at != dir {
		if t.inside != nil {
			t.inside.Close()
		}
		t.at, t.inside = dir, nil
		if inside, err := t.root.OpenRoot(filepath.FromSlash(path.Clean(dir))); err == nil {
			t.inside = inside
		}
	}
	if t.inside != nil {
		if text, err := rooted.Read(t.inside, base, maxSourceFile); err == nil {
			return text
		}
	}
	text, _ := rooted.Read(t.root, name, maxSourceFile)
	return text
}

// modulePath reads the module line of a go.mod file.
func modulePath(mod []byte) string {
	s := bufio.NewScanner(bytes.NewReader(mod))
	for s.Scan() {
		fields := strings.Fields(s.Text())
		if len(fields) >= 2 && fields[0] == "module" {
			return strings.Trim(fields[1], "\"`")
		}
	}
	return ""
}

// has reports whether name is a path of the tree.
func (t *Tree) has(name string) bool {
	_, ok := t.files[name]
	return ok
}

// slashed cleans a file name of any system: backslashes where they must be
// separators, no URL scheme.
func slashed(name string) string {
	name = strings.TrimPrefix(name, "file://")
	drive := len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
	if strings.Contains(name, `\`) && (drive || !strings.Contains(name, "/")) {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

// absolute reports whether a slashed name begins at a root or a drive.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// relative gives a clean relative path that does not leave its root, "" for the
// root itself and for everything else.
func relative(name string) string {
	name = path.Clean(name)
	if name == "." || absolute(name) || name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return name
}
