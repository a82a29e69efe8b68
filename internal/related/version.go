package related

import (
	"path"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/language"
)

// GoVersion is that of Go by the module of a file: with it variables of a loop and names
// that are built in mean something else. Of other languages it is empty.
func GoVersion(read func(string) ([]byte, error), file string) string {
	if language.Of(file).Name != "go" {
		return ""
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if raw, err := read(path.Join(dir, "go.mod")); err == nil {
			if mod, err := modfile.ParseLax("go.mod", raw, nil); err == nil && mod.Go != nil {
				return mod.Go.Version
			}
			return ""
		}
		if dir == "." {
			return ""
		}
	}
}
