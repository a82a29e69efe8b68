package measured

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Tree is what files the repository has, and how reports may call them.
type Tree struct {
	any    bool     // no repository: every relative name is a path
	roots  []string // spellings of the repository's absDir, slash-separated
	dir    string
	files  map[string]struct{} // where a list of them was given
	disk   *disk               // where they lie; nil where there is no root
	byBase map[string][]string // lower-case base name → paths, sorted; made by ending
	known  func() []goModule   // longest path first
	root   *os.Root
}

// goModule is a go.mod file.
type goModule struct{ path, dir string }

const (
	maxTreeFiles  = 2_000_000
	maxSourceFile = 16 << 20
)

// NewTree reads nothing; what is asked for later are directory entries, go.mod files, and
// the sources that a format asks for.
func NewTree(root, dir string, given []string) (*Tree, error) {
	t := &Tree{dir: relative(filepath.ToSlash(dir))}
	t.known = sync.OnceValue(t.modules)
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
		t.disk = newDisk(t.root)
	}
	if given != nil {
		t.files = make(map[string]struct{}, len(given))
		for _, name := range given {
			t.files[filepath.ToSlash(name)] = struct{}{}
		}
	}
	return t, nil
}

// Err says that the tree has more files than are looked at.
func (t *Tree) Err() error {
	if t.disk == nil {
		return nil
	}
	return t.disk.err
}

func (t *Tree) Close() {
	if t.root != nil {
		t.disk.reader.Close()
		t.root.Close()
	}
}

// each goes through all files.
func (t *Tree) each(use func(dir, name string)) {
	if t.files == nil {
		t.disk.each(use)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		use(path.Split(name))
	}
}

// modules are those of Go. Names that are paths of the tree never ask for them.
func (t *Tree) modules() []goModule {
	var files []string
	t.each(func(dir, name string) {
		if strings.EqualFold(name, "go.mod") {
			files = append(files, dir+name)
		}
	})
	var found []goModule
	for _, name := range files {
		if module := modulePath(t.source(name)); module != "" {
			found = append(found, goModule{module, path.Dir(name)})
		}
	}
	slices.SortStableFunc(found, func(a, b goModule) int { return len(b.path) - len(a.path) })
	return found
}

// ending lists the paths with a base name, in lower case. Most reports name files as
// they are, and never ask.
func (t *Tree) ending(base string) []string {
	if t.byBase == nil {
		t.byBase = map[string][]string{}
		t.each(func(dir, name string) {
			at := strings.ToLower(name)
			t.byBase[at] = append(t.byBase[at], dir+name)
		})
		for _, list := range t.byBase {
			slices.Sort(list)
		}
	}
	return t.byBase[base]
}

// source reads a file of the tree; nil when it cannot be read. It is only lent: the next
// may take its place.
func (t *Tree) source(name string) []byte {
	if t.root == nil {
		return nil
	}
	read := t.disk.reader.Read
	if t.files == nil && !t.disk.odd[name] {
		read = t.disk.reader.Lend // the path is one that was listed
	}
	text, _ := read(name, maxSourceFile)
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
	if t.files == nil {
		return t.disk.has(name)
	}
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
