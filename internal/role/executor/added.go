package executor

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// maxAdded bounds the look for tests of a package on base.
const maxAdded = 20_000

// lacks says what of a target is not there on base: its directory, or any test
// in it; empty when there may be tests to compare with. That there are none is
// told by the names of files, where head's tests have such names as well.
func lacks(base Tree, t Target, cases []qa.Case) string {
	tree, dir := rooted.FS(base.Dir()), path.Clean("./"+t.Framework.Dir)
	if _, err := fs.Stat(tree, dir); errors.Is(err, fs.ErrNotExist) {
		return "such package"
	}
	adapter, err := framework.For(t.Framework.Framework)
	if err != nil || len(cases) == 0 || slices.ContainsFunc(cases, func(c qa.Case) bool { return !adapter.IsTest(c.File) }) {
		return ""
	}
	seen, found := 0, false
	err = fs.WalkDir(tree, dir, func(rel string, e fs.DirEntry, err error) error {
		switch seen++; {
		case err != nil:
			return err
		case seen > maxAdded || !e.IsDir() && adapter.IsTest(rel):
			found = true
			return fs.SkipAll
		case e.IsDir() && rel != dir && folder.Aside(path.Join(rel, "x")):
			return fs.SkipDir
		}
		return nil
	})
	if found || err != nil {
		return ""
	}
	return "tests in this package"
}
