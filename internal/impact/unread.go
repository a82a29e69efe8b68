package impact

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/loads"
)

// Unread reports of a changed file whether a run which opened some files, sorted, did not
// open it and seems not to look at it either: at the size of one, or at who may start it,
// code looks without opening it.
func Unread(c checkout.Checkout, opened []string) func(f qa.FileChange) bool {
	mentioned := mentions(c, opened)
	return func(f qa.FileChange) bool {
		_, was := slices.BinarySearch(opened, f.Path)
		return !was && !started(c, f) && !mentioned(f.Path)
	}
}

// started reports whether a file may be there to be started, or nothing of it changed
// but that.
func started(c checkout.Checkout, f qa.FileChange) bool {
	info, err := c.Stat(f.Path)
	return err != nil || info.Mode()&0o111 != 0 || bytes.HasPrefix(c.Text(f.Path), []byte("#!")) ||
		!f.Binary && len(f.Added) == 0 && f.Removed == 0
}

// mostNames is how many names of changed files are looked for; where more changed, each
// of them may be named.
const mostNames = 100

// mentions reports of a changed file whether code that was opened names it, or looks at
// files without opening them. What was opened is read once.
func mentions(c checkout.Checkout, opened []string) func(file string) bool {
	found := sync.OnceValue(func() map[string]bool {
		many := len(c.Change.Files) > mostNames
		named := map[string]bool{} // whether it is, of each name
		for _, f := range c.Change.Files {
			if _, itself := slices.BinarySearch(opened, f.Path); !itself {
				named[path.Base(f.Path)] = many
			}
		}
		for _, file := range opened {
			if many || language.Of(file).Name == "" && path.Ext(file) != ".sh" || Installs(file) {
				continue
			}
			text := c.Text(file)
			looks := loads.Looks(text) // it may have a name from a folder, or from git
			for name, is := range named {
				named[name] = is || looks || bytes.Contains(text, []byte(name))
			}
		}
		return named
	})
	return func(file string) bool { return found()[path.Base(file)] }
}

// Installs reports whether installers or tool managers read a file before any test
// runs; what calls itself a lock counts as one.
func Installs(file string) bool {
	name := path.Base(file)
	low := strings.ToLower(name)
	return language.Steers(name) || slices.Contains(installers, name) || strings.Contains(low, "lock") || strings.Contains(low, "requirements") ||
		strings.Contains(low, "constraints") || strings.Contains(file, "requirements/")
}

// installers are such files of no language in particular.
var installers = []string{"tox.ini", "noxfile.py", "Makefile", "justfile", "environment.yml", ".tool-versions"}
