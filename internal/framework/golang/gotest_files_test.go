package golang

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

const goTree = `
-- app/go.mod --
module example.com/app

go 1.26
-- app/a_test.go --
package app

func TestRoot(t *testing.T) {}

func helper(t *testing.T) {}
-- app/inner/one_test.go --
package inner

func TestOne(t *testing.T) {}
func FuzzOne(f *testing.F) {}
-- app/inner/two_test.go --
package inner_test

import "testing"

func TestTwo(t *testing.T) {}
-- app/inner/unix_test.go --
package inner

func TestHere(t *testing.T) {}
-- app/inner/windows_test.go --
package inner

func TestHere(t *testing.T) {}
-- app/inner/deep/go.mod --
module example.com/app/inner/deep
-- app/inner/deep/deep_test.go --
package deep

func TestDeep(t *testing.T) {}
`

func TestLocateGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(goTree)).Files {
		at := filepath.Join(dir, f.Name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		assert.NilError(t, os.WriteFile(at, f.Data, 0o600))
	}
	secret := filepath.Join(t.TempDir(), "x_test.go")
	assert.NilError(t, os.WriteFile(secret, []byte("package inner\n\nfunc TestAway(t *testing.T) {}\n"), 0o600))
	assert.NilError(t, os.Symlink(secret, filepath.Join(dir, "app", "inner", "away_test.go")))

	d := adapter.Detection{Dir: "app", Extent: adapter.Extent{Packages: []string{"./...", "./inner/deep/..."}}}
	for _, tc := range []struct{ suite, name, had, want string }{
		{"example.com/app", "TestRoot", "", "app/a_test.go"},
		{"example.com/app", "helper", "", ""},
		{"example.com/app/inner", "TestOne", "", "app/inner/one_test.go"},
		{"example.com/app/inner", "TestOne/with/parts", "", "app/inner/one_test.go"},
		{"example.com/app/inner", "FuzzOne/seed#0", "", "app/inner/one_test.go"},
		{"example.com/app/inner", "TestTwo", "", "app/inner/two_test.go"},
		{"example.com/app/inner", "TestHere", "", ""},
		{"example.com/app/inner", "TestHere", "app/inner/unix_test.go", "app/inner/unix_test.go"},
		{"example.com/app/inner", "TestAway", "", ""},
		{"example.com/app/inner/deep", "TestDeep", "", "app/inner/deep/deep_test.go"},
		{"example.com/application", "TestRoot", "", ""},
		{"example.com/app/../..", "TestRoot", "", ""},
		{"", "TestRoot", "", ""},
	} {
		cases := []qa.Case{{Suite: tc.suite, Name: tc.name, File: tc.had}}
		id := cases[0].ID()
		Gotest.Located(dir, d, nil, cases)
		assert.Equal(t, cases[0].File, tc.want, "%+v", tc)
		assert.Equal(t, cases[0].ID(), id, "the file of a Go test is no part of its name")
	}
	Gotest.Located(filepath.Join(dir, "gone"), d, nil, []qa.Case{{Suite: "p", Name: "TestX"}})
}
