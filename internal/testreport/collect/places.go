package collect

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Places maps the file names of reports to paths of the repository. All looks
// into the tree go through os.Root, so that no name leads out of it.
type Places struct {
	root  string // slash-separated, absolute; empty when not mapping
	real  string // root with links resolved
	dir   string // where the tests ran, relative to root
	Room  *Room
	Tree  *os.Root
	known map[place]string
	files map[string]bool

	Modules  map[string]string // see pythonModule
	goModule *string           // see module
}

type place struct{ report, name string }

func NewPlaces(root, dir string) (*Places, error) {
	if root == "" {
		return &Places{Room: NewRoom()}, nil
	}
	if !filepath.IsAbs(root) {
		return nil, fmt.Errorf("repository root %q is not an absolute path", root)
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open repository root: %w", err)
	}
	p := &Places{Room: NewRoom(), root: filepath.ToSlash(filepath.Clean(root)), dir: dir, Tree: tree, known: map[place]string{}, files: map[string]bool{}, Modules: map[string]string{}}
	p.real = p.root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		p.real = filepath.ToSlash(real)
	}
	return p, nil
}

func (p *Places) Close() {
	if p.Tree != nil {
		p.Tree.Close()
	}
}

// shorten takes the root out of the paths in a text: what people read, and what
// two runs are compared by, must not depend on where the copy of the tree was.
func (p *Places) shorten(text string) string {
	if p.root == "" || p.root == "/" || text == "" {
		return text
	}
	for _, root := range []string{p.root, p.real} {
		if strings.Contains(text, root+"/") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "file://"+root+"/", ""), root+"/", "")
		}
	}
	return text
}

// Relative gives the repository path of a file that the report names; ok is
// false when the file lies outside. Without a root only separators change.
func (p *Places) Relative(report, name string) (rel string, ok bool) {
	name = slashed(name)
	if p.Tree == nil || name == "" {
		return name, true
	}
	key := place{report, name}
	if rel, ok := p.known[key]; ok {
		return rel, rel != ""
	}
	if !p.Room.Take(OfNames, len(name)) {
		return "", false
	}
	rel = p.find(report, name)
	p.known[key] = rel
	return rel, rel != ""
}

func (p *Places) find(report, name string) string {
	for _, root := range []string{p.root, p.real} {
		if rest, ok := strings.CutPrefix(name, root+"/"); ok {
			name = rest
			break
		}
	}
	local := !path.IsAbs(name) && !hasDrive(name)
	name = path.Clean(name)
	if local {
		if at := p.Local(name); at != "" {
			return at
		}
	}
	if local && filepath.IsLocal(name) {
		// Relative to the folder of the package whose report this is.
		for dir := p.reportDir(report); dir != "." && dir != ""; dir = path.Dir(dir) {
			if at := path.Join(dir, name); p.exists(at) {
				return at
			}
		}
	}
	// Absolute on another machine or in a container: the longest end of the
	// name that is a file here.
	for rest := strings.TrimLeft(name, "/"); rest != ""; {
		if filepath.IsLocal(rest) && p.exists(rest) {
			return rest
		}
		_, after, ok := strings.Cut(rest, "/")
		if !ok {
			break
		}
		rest = after
	}
	if local && filepath.IsLocal(name) {
		return name // deleted or generated since, but inside
	}
	return ""
}

// Local is the file that a relative path names, seen from where the tests ran,
// else from the root; empty when there is none.
func (p *Places) Local(name string) string {
	for _, at := range []string{path.Join(p.dir, name), name} {
		if filepath.IsLocal(at) && p.exists(at) {
			return at
		}
	}
	return ""
}

func (p *Places) reportDir(report string) string {
	abs, err := filepath.Abs(report)
	if err != nil {
		return ""
	}
	rel, ok := strings.CutPrefix(filepath.ToSlash(abs), p.root+"/")
	if !ok {
		return ""
	}
	return path.Dir(rel)
}

// exists reports a regular file inside the root.
func (p *Places) exists(name string) bool {
	if p.Tree == nil {
		return false
	}
	if found, ok := p.files[name]; ok {
		return found
	}
	if !p.Room.Take(OfPaths, 1) {
		return false
	}
	info, err := p.Tree.Stat(filepath.FromSlash(name))
	found := err == nil && info.Mode().IsRegular()
	p.files[name] = found
	return found
}

// slashed turns file URLs and Windows paths into slash-separated ones.
func slashed(name string) string {
	name = strings.TrimPrefix(name, "file://")
	if strings.Contains(name, `\`) && (hasDrive(name) || !strings.Contains(name, "/")) {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

func hasDrive(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
}
