package framework

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/golang"
)

// TestGoFlagsOfScripts: what a script puts into GOFLAGS counts as if it stood in
// the command, and go list is asked with what decides about files.
func TestGoFlagsOfScripts(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]struct{ env, sources, list string }{
		"go test -coverpkg=./a,./b ./...":                                {"", "./a ./b", "./..."},
		"go test -tags 'x y' -race -run A -coverpkg ./... ./...":         {"", "./...", "-tags x y -race ./..."},
		"GOFLAGS='-tags=x -failfast --coverpkg=./a' go test ./...":       {"GOFLAGS=-tags=x", "./a", "./..."},
		"GOFLAGS=-mod=mod go test -mod=vendor -coverpkg=./b --short .":   {"GOFLAGS=-mod=mod", "./b", "-mod=vendor ."},
		"GOFLAGS=-run=A TZ=UTC go test -timeout 1m ./... -own -tags=bad": {"GOFLAGS=-run=A TZ=UTC", "", "-tags=bad ./..."},
		"GOFLAGS=-count=3 go test -short ./...":                          {"GOFLAGS=-count=3", "", "./..."},
	} {
		found := look(t, map[string]string{"go.mod": "module x\n", "a_test.go": "", "package.json": `{"scripts":{"test":"` + script + `"}}`}, "")
		if len(found.Detections) != 1 {
			t.Fatalf("%s: %+v", script, found)
		}
		d := found.Detections[0]
		if strings.Contains(script, "-count=3") != slices.Contains(d.Args, "-count=3") {
			t.Errorf("%s: %v", script, d.Args)
		}
		list := golang.TraceGo.Argv("", d)
		list = list[slices.IndexFunc(list, func(a string) bool { return strings.HasPrefix(a, "-json=") })+1:]
		if got := [3]string{strings.Join(d.Env, " "), strings.Join(d.Sources, " "), strings.Join(list, " ")}; got != [3]string{want.env, want.sources, want.list} {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}
