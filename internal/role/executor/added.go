package executor

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
)

// maxAdded bounds the look for tests of a package on base.
const maxAdded = 20_000

// lacks says what of a target is not there on base: its directory, or any test
// in it; empty when there may be tests to compare with. That there are none is
// told by the names of files, where head's tests have such names as well.
func lacks(base Tree, t Target, cases []qa.Case) string {
	dir := filepath.Join(base.Dir(), filepath.FromSlash(t.Framework.Dir))
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return "such package"
	}
	adapter, err := framework.For(t.Framework.Framework)
	if err != nil || len(cases) == 0 {
		return ""
	}
	for _, c := range cases {
		if !adapter.IsTest(c.File) {
			return ""
		}
	}
	seen, found := 0, false
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(base.Dir(), name)
		rel = filepath.ToSlash(rel)
		switch seen++; {
		case err != nil:
			return err
		case seen > maxAdded || !e.IsDir() && adapter.IsTest(rel):
			found = true
			return fs.SkipAll
		case e.IsDir() && name != dir && framework.Aside(path.Join(rel, "x")):
			return fs.SkipDir
		}
		return nil
	})
	if found || err != nil {
		return ""
	}
	return "tests in this package"
}
