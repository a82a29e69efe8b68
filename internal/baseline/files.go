package baseline

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/wording"
)

// The bounds of looking for test files. Past them nothing is claimed.
const (
	maxTestFiles = 20_000
	maxTestFile  = 512 << 10 // bytes read of one
	maxTestBytes = 512 << 20
	namedFiles   = 3 // in a reason
)

// suiteFiles are the files of the checkout that define tests, as a target's
// runner would look for them.
type suiteFiles struct {
	tests []string
	// complete is false when the bounds were reached.
	complete bool
	// elsewhere are Go files that this machine does not build, with the reason.
	elsewhere map[string]string
}

// findTests looks for test files below dir by what they say: a name alone would
// count helpers and samples.
func (c completeness) findTests(dir string, isTest func(string) bool) suiteFiles {
	out := suiteFiles{complete: true, elsewhere: map[string]string{}}
	root, err := os.OpenRoot(c.Root)
	if err != nil {
		out.complete = false
		return out
	}
	defer func() { _ = root.Close() }()
	seen, left := 0, int64(maxTestBytes)
	err = fs.WalkDir(root.FS(), path.Clean(cmp.Or(dir, ".")), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be looked at has no tests that we know of
		case e.IsDir():
			if name != "." && (folder.Aside(name+"/x") && !(c.inSources && folder.AmongSources(name)) || name == c.Own) {
				return fs.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || !isTest(name):
			return nil
		}
		if seen++; seen > maxTestFiles || left <= 0 {
			out.complete = false
			return fs.SkipAll
		}
		src := head(root, name)
		left -= int64(len(src))
		if !framework.DefinesTests(name, src) || framework.DrivesBrowser(src) {
			return nil
		}
		if ok, why := golang.RunsHere(name, src); !ok {
			out.elsewhere[name] = why
			return nil
		}
		out.tests = append(out.tests, name)
		return nil
	})
	out.complete = out.complete && err == nil
	return out
}

func head(root *os.Root, name string) []byte {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	src, _ := io.ReadAll(io.LimitReader(f, maxTestFile)) // what cannot be read says nothing
	return src
}

// some names the first of several things and counts the others.
func some(names []string) string {
	return wording.Some(slices.Sorted(slices.Values(names)), namedFiles)
}
