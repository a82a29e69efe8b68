// Package floors holds the test that keeps imports pointing down.
package floors

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/org/qa-action/"

// floors is the house, top first; a package may import only lower floors, and
// its own sub-packages.
var floors = [][]string{
	{"cmd/qa", "bench/contact", "bench/eval", "bench/fuzz", "bench/impact", "bench/pictures", "bench/sound"},
	{"bench/repo"},
	{"internal/cli"},
	{"internal/mode"},
	{"internal/assemble", "internal/finished", "internal/inspect", "internal/publish", "internal/shard"},
	{"internal/record"},
	{"internal/task"},
	{"internal/layers", "internal/trials"},
	{"internal/baseline"},
	{"internal/checks"},
	{"internal/copies", "internal/mutation", "internal/past", "internal/targets"},
	{"internal/role"},
	{"internal/artifact", "internal/budget", "internal/formatter", "internal/impact", "internal/notes", "internal/related"},
	{"internal/account", "internal/config", "internal/demo", "internal/listing", "internal/change", "internal/checkout", "internal/source", "internal/scan", "internal/framework", "internal/coverage", "internal/testreport", "internal/runtime", "internal/scaffold", "internal/quality", "internal/history", "internal/reporter", "internal/gh", "internal/llm"},
	{"internal/qa", "internal/diagnosis", "internal/pipeline", "internal/rooted", "internal/output", "internal/session", "internal/process", "internal/xmlscan", "internal/jsonscan", "internal/ini", "internal/web", "internal/memory", "internal/wording", "internal/each", "internal/language", "internal/shell", "internal/ci", "internal/pattern", "internal/timing"},
}

// sole names the only package that may import a library.
var sole = map[string]string{
	"os/exec":                               "internal/process",
	"github.com/google/go-github/v62":       "internal/gh",
	"github.com/sethvargo/go-githubactions": "internal/gh",
	"github.com/openai/openai-go":           "internal/llm",
}

// testSupport has what only tests import: sample projects as repositories, a server
// that answers as GitHub's published description says, a reader of what a runner reads.
const testSupport = "internal/testsupport/"

// rooms are the packages below one that would be too large otherwise, in the order
// in which they import: a room imports those that stand before it, and never the
// package above them.
var rooms = map[string][]string{
	"internal/reporter": {"escape", "number", "sink", "fit", "extract", "annotation", "markdown", "html", "console", "sarif", "junit", "cobertura"},
	"internal/runtime":  {"walk", "environ", "user", "limits", "toolchain", "cache", "repository", "clone", "place", "stage", "sandbox", "tree", "packages", "provision", "container"},
	"internal/scan":     {"credential", "engine", "sarif", "linter", "javascript", "golang", "python", "builtin", "finding"},
	"internal/source":   {"syntax", "wrote", "outline", "declared", "lineage", "mutant", "edit", "policy", "weakening", "around", "loads", "versions"},
}

// fronts are those of which outsiders import the package above the rooms alone, with
// the rooms that they may ask all the same.
var fronts = map[string][]string{"internal/reporter": {}, "internal/runtime": {"toolchain"}}

// roomOf is the place of a package in the order of its house: -1 for the package above
// the rooms. unknown says that it stands in none.
func roomOf(house, pkg string) (place int, name string, unknown bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(pkg, house), "/")
	place = slices.Index(rooms[house], name)
	return place, name, name != "" && place < 0
}

// checkRooms holds an import against the order of the rooms.
func checkRooms(t *testing.T, rel, pkg, local string) {
	for house := range rooms {
		inside := pkg == house || strings.HasPrefix(pkg, house+"/")
		if local != house && !strings.HasPrefix(local, house+"/") {
			continue
		}
		to, name, unknown := roomOf(house, local)
		from, room, strange := roomOf(house, pkg)
		switch {
		case unknown || inside && strange:
			t.Errorf("%s: %s or %s has no place among the rooms of %s; add it to floors_test.go and docs/design.md", rel, pkg, local, house)
		case inside && room != "" && (to < 0 || to >= from):
			t.Errorf("%s imports %s: rooms of %s import in the order %q", rel, local, house, rooms[house])
		case !inside && fronts[house] != nil && name != "" && !slices.Contains(fronts[house], name):
			t.Errorf("%s imports %s: outside of %s only the package itself is for others", rel, local, house)
		}
	}
}

func floorOf(pkg string) (int, string) {
	for i, members := range floors {
		for _, m := range members {
			if pkg == m || strings.HasPrefix(pkg, m+"/") {
				return i, m
			}
		}
	}
	return -1, ""
}

func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		seen++
		return check(t, filepath.ToSlash(rel), path)
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("only %d files looked at: the walk is broken", seen)
	}
}

func check(t *testing.T, rel, path string) error {
	pkg := filepath.ToSlash(filepath.Dir(rel))
	if strings.HasPrefix(pkg, testSupport) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	from, member := floorOf(pkg)
	if from < 0 {
		t.Errorf("%s: package %s stands on no floor; add it to floors_test.go and docs/design.md", rel, pkg)
		return nil
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		for lib, owner := range sole {
			if (imported == lib || strings.HasPrefix(imported, lib+"/")) && member != owner {
				t.Errorf("%s imports %s, which only %s may", rel, imported, owner)
			}
		}
		local, ok := strings.CutPrefix(imported, module)
		if !ok {
			continue
		}
		checkRooms(t, rel, pkg, local)
		to, target := floorOf(local)
		switch {
		case strings.HasPrefix(local, testSupport):
			t.Errorf("%s imports %s, which is for tests only", rel, local)
		case to < from || (to == from && target != member && from < len(floors)-1):
			t.Errorf("%s (%s) imports %s (%s): imports must point down", rel, member, local, target)
		}
	}
	return nil
}

func TestMainIsThin(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "cmd", "qa", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(raw), "\n"); n > 25 {
		t.Errorf("cmd/qa/main.go has %d lines, expected at most 25", n)
	}
}
