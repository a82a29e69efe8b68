package baseline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// unneeded says on what evidence no test has to run: nothing changed, or an
// earlier whole run of exactly the base commit opened none of the files that
// changed. Files that were added, removed or renamed may be found by a test that
// lists a folder, and those that say what is installed are read by installers.
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
		if f.Status != qa.Modified || f.Submodule || opened || installs(f.Path) {
			return ""
		}
	}
	return fmt.Sprintf("no test opened what changed when the whole suite ran on base %.7s", b.SHA)
}

// installers are the files that installers and tool managers read before any
// test runs, by name; beside them everything that calls itself a lock.
var installers = []string{
	"package.json", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "go.mod", "go.sum", "go.work", "go.work.sum", "tox.ini",
	"noxfile.py", "Makefile", "justfile", "environment.yml", ".npmrc", ".yarnrc", ".yarnrc.yml", ".nvmrc", ".node-version",
	".python-version", ".tool-versions", "Cargo.toml", "pom.xml", "build.gradle", "Gemfile", "composer.json",
}

func installs(file string) bool {
	name := path.Base(file)
	low := strings.ToLower(name)
	return slices.Contains(installers, name) || strings.Contains(low, "lock") || strings.Contains(low, "requirements") ||
		strings.Contains(low, "constraints") || strings.Contains(file, "requirements/")
}

// noCode reports whether no file changed that is code of the product or of its
// tests. It decides nothing but what the run costs: the suite runs all the same.
func (m measurer) noCode() bool {
	if slices.ContainsFunc(m.Config.FailOn, needsBase) {
		return false
	}
	return !slices.ContainsFunc(m.Change.Files, func(f qa.FileChange) bool { return f.Kind == qa.KindSource || f.Kind == qa.KindTest })
}

// needsBase reports whether an optional gate compares with base or coverage.
func needsBase(gate string) bool {
	return slices.Contains([]string{qa.GatePatch, qa.GateCoverageDrop, qa.GateRemovedTests, qa.GateSkippedTests, qa.GateMutation}, gate)
}
