package python

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// mendCopy is a command that makes an interpreter import the project in the place
// of the copy at a file. pip replaces what it has installed; a copy that no
// distribution owns stands before whatever is installed, until it is removed.
func mendCopy(root string, d adapter.Detection, python, at string) string {
	install := wording.Command([]string{python, "-m", "pip", "install", "-e", "./"})
	copied := at
	if strings.HasPrefix(filepath.Base(at), "__init__.") {
		copied = filepath.Dir(at)
	}
	if !adapter.InPackages(filepath.ToSlash(at)) || owned(copied) {
		return shell.InDir(d.Dir, install)
	}
	if rel, in := adapter.BelowRoot(root, copied); in {
		copied = folder.Climb(path.Clean(cmp.Or(d.Dir, ".")), rel)
	}
	line := "rm -r " + wording.Quote(copied)
	for _, name := range []string{"pyproject.toml", "setup.py", "setup.cfg"} {
		if _, err := fs.Stat(rooted.FS(root), path.Join(cmp.Or(d.Dir, "."), name)); err == nil {
			return shell.InDir(d.Dir, line+" && "+install)
		}
	}
	return shell.InDir(d.Dir, line)
}

// owned reports whether an installed distribution names a module or package among
// its files. Where that cannot be read it is taken for one.
func owned(at string) bool {
	site, name := filepath.Split(filepath.Clean(at))
	packages := rooted.FS(site)
	entries, err := fs.ReadDir(packages, ".")
	if err != nil {
		return true
	}
	for _, e := range entries {
		list := map[string]string{".dist-info": "RECORD", ".egg-info": "top_level.txt"}[path.Ext(e.Name())]
		if list == "" {
			continue
		}
		data, err := fs.ReadFile(packages, e.Name()+"/"+list)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			file, _, _ := strings.Cut(strings.TrimSpace(line), ",")
			if top, _, _ := strings.Cut(file, "/"); top == name || top+".py" == name {
				return true
			}
		}
	}
	return false
}
