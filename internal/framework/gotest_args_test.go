package framework

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/framework/project"
)

// What a script gives go test is kept where it decides what runs, and what is
// measured; flags of the tests' own come behind the packages.
func TestGoFlags(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"go test -tags x -short -race ./... -run A -count 3":   "-tags x -short -race -run A -count 3 ./...",
		"go test -v -coverpkg=./...,./b -coverprofile c ./...": "-coverpkg=./...,./b ./...",
		"go test --coverpkg ./b ./a":                           "-coverpkg=./b ./a",
		"go test ./... -update -run A":                         "-run A ./... -update",
		"go test ./... -db postgres":                           "",
		"go test -fuzz FuzzA .":                                "",
	} {
		dir := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module a\n\ngo 1.21\n"), 0o600))
		assert.NilError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"scripts": {"test": "`+script+`"}}`), 0o600))
		found, err := Find(project.Machine{LookPath: func(string) (string, error) { return "go", nil }}, dir, "", "")
		assert.NilError(t, err)
		assert.Equal(t, len(found.Detections), 1)
		d := found.Detections[0]
		if want == "" {
			assert.Equal(t, d.Framework, Command.Name, script)
			continue
		}
		inv, err := golang.GotestInvocation(d, adapter.Request{OutDir: "out", Coverage: true})
		assert.NilError(t, err)
		got := strings.TrimPrefix(strings.Join(inv.Argv, " "), "go test -json -count=1 -coverprofile=out/cover.out ")
		assert.Equal(t, got, want, script)
	}
}

// A candidate's tests have a limit of their own in place of the script's.
func TestGoTestsWithin(t *testing.T) {
	t.Parallel()
	var d adapter.Detection
	d.Program, d.Args, d.Packages = []string{"go"}, []string{"-timeout", "20m", "-short"}, []string{"./..."}
	for within, want := range map[time.Duration]string{0: "-timeout 20m -short ./...", 5 * time.Second: "-timeout=5s -short ./..."} {
		inv, err := golang.GotestInvocation(d, adapter.Request{OutDir: "out", Within: within})
		assert.NilError(t, err)
		assert.Equal(t, strings.TrimPrefix(strings.Join(inv.Argv, " "), "go test -json -count=1 "), want)
	}
}
