package baseline

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/loads"
)

// unneeded says on what evidence no test has to run: nothing changed, or an
// earlier whole run of exactly the base commit opened none of the files that
// changed. Files that were added, removed or renamed may be found by a test that
// lists a folder, those that say what is installed are read by installers, and at
// the size of one, or at who may start it, a test looks without opening it.
func (m measurer) unneeded() string {
	if len(m.Change.Files) == 0 {
		return "nothing changed"
	}
	b := m.Past.Baseline
	if b == nil || b.SHA == "" || b.SHA != m.Change.Base || !b.Whole || m.Change.All {
		return ""
	}
	for _, f := range m.Change.Files {
		_, opened := slices.BinarySearch(b.Opened, f.Path)
		if f.Status != qa.Modified || f.Submodule || opened || installs(f.Path) || started(m.Checkout, f) {
			return ""
		}
	}
	if mentioned := m.mentioned(b.Opened); slices.ContainsFunc(m.Change.Files, func(f qa.FileChange) bool { return mentioned(f.Path) }) {
		return ""
	}
	return fmt.Sprintf("no test opened what changed when the whole suite ran on base %.7s", b.SHA)
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

// mentioned reports of a changed file whether code that the suite opened names it, or
// looks at files without opening them. What was opened is read once.
func (m measurer) mentioned(opened []string) func(file string) bool {
	found := sync.OnceValue(func() map[string]bool {
		many := len(m.Change.Files) > mostNames
		named := map[string]bool{} // whether it is, of each name
		for _, f := range m.Change.Files {
			if _, itself := slices.BinarySearch(opened, f.Path); !itself {
				named[path.Base(f.Path)] = many
			}
		}
		for _, file := range opened {
			if many || language.Of(file).Name == "" && path.Ext(file) != ".sh" || installs(file) {
				continue
			}
			text := m.Text(file)
			looks := loads.Looks(text) // it may have a name from a folder, or from git
			for name, is := range named {
				named[name] = is || looks || bytes.Contains(text, []byte(name))
			}
		}
		return named
	})
	return func(file string) bool { return found()[path.Base(file)] }
}

// installs reports whether installers or tool managers read a file before any test
// runs; what calls itself a lock counts as one.
func installs(file string) bool {
	name := path.Base(file)
	low := strings.ToLower(name)
	return language.Steers(name) || slices.Contains(installers, name) || strings.Contains(low, "lock") || strings.Contains(low, "requirements") ||
		strings.Contains(low, "constraints") || strings.Contains(file, "requirements/")
}

// installers are such files of no language in particular.
var installers = []string{"tox.ini", "noxfile.py", "Makefile", "justfile", "environment.yml", ".tool-versions"}

// noCode reports whether no file changed that is code of the product or of its
// tests. It decides nothing but what the run costs: the suite runs all the same.
func (m measurer) noCode() bool {
	if slices.ContainsFunc(m.Config.FailOn, needsBase) {
		return false
	}
	return !slices.ContainsFunc(m.Change.Files, func(f qa.FileChange) bool { return f.Kind == qa.KindSource || f.Kind == qa.KindTest })
}

// plain reports whether one run on head tells: nothing changed that could be covered or
// that says how the tests are run.
func (m measurer) plain() bool { return m.noCode() && !m.Touches(m.b.Read...) }

// needsBase reports whether an optional gate compares with base or coverage.
func needsBase(gate string) bool {
	return slices.Contains([]string{qa.GatePatch, qa.GateCoverageDrop, qa.GateRemovedTests, qa.GateSkippedTests, qa.GateMutation}, gate)
}
