package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// byPath are the functions that take a path as it stands: a link on the way
// leads them anywhere. Files below a checkout, or a copy of one, are opened
// through an [os.Root] (packages rooted and output).
var byPath = map[string][]string{
	"os": {
		"Chdir", "Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "DirFS", "Lchown", "Link", "Lstat", "Mkdir", "MkdirAll", "MkdirTemp",
		"Open", "OpenFile", "ReadDir", "ReadFile", "Readlink", "Remove", "RemoveAll", "Rename", "Stat", "Symlink", "Truncate", "WriteFile",
	},
	"filepath": {"EvalSymlinks", "Glob", "Walk", "WalkDir"},
	"ioutil":   {"ReadAll", "ReadDir", "ReadFile", "TempDir", "TempFile", "WriteFile"},
}

// mayUsePaths are the files and packages that may, each with the reason. What
// stands here is no place for anything else of the kind: a new use belongs into
// rooted, or gets a line of its own.
var mayUsePaths = map[string]string{
	"bench":                "measures, in directories of its own",
	"internal/testsupport": "test support",
	"internal/output":      "opens what everything else goes through",

	"internal/rooted/remove.go": "workspaces and caches of ours; follows no link",
	"internal/process/tree":     "/proc",

	// Named by whoever runs us, and not by the change.
	"internal/cli/coverage.go":                   "report files that the user names",
	"internal/cli/tests.go":                      "report files that the user names",
	"internal/finished/finished.go":              "looks for the session in a directory that the user names; it is read through a root",
	"internal/cli/history.go":                    "where a directory that the job names leads to",
	"internal/demo":                              "a temporary folder of ours, or an empty one that the user names",
	"internal/rooted/owner_unix.go":              "the root of the working copy",
	"internal/change/git.go":                     "finds the root of the working copy",
	"internal/change/tracked.go":                 "looks for repositories around the working copy",
	"internal/gh/event.go":                       "files of the runner, named by its environment",
	"internal/gh/job.go":                         "files of the runner, named by its environment",
	"internal/shard/read.go":                     "compares directories that the user names",
	"internal/shard/files.go":                    "looks for sessions in directories that the user names; they are read through a root",
	"internal/coverage/coverage.go":              "copies of reports in the session, or files that the user names; regular files only",
	"internal/coverage/measured/tree.go":         "the root of the tree itself",
	"internal/testreport/testreport.go":          "copies of reports in the session, or files that the user names; regular files only",
	"internal/testreport/collect/places.go":      "the root of the tree itself",
	"internal/scan/engine/subject.go":            "the root of the tree itself",
	"internal/scan/engine/memory.go":             "an installed program, of which only size and time are looked at",
	"internal/scan/memory.go":                    "this program itself",
	"internal/scan/broken.go":                    "the root of the tree itself",
	"internal/change/view.go":                    "a temporary directory of ours, and git's own directory",
	"internal/framework/golang/gotest.go":        "the toolchain's own directory",
	"internal/framework/project/python.go":       "the interpreter's own directory, and its links out of the tree",
	"internal/framework/folder/tree.go":          "installed dependencies may be links to a store outside; regular files, bounded",
	"internal/framework/project/start.go":        "installed dependencies may be links to a store outside; only looked at",
	"internal/framework/adapter/trace.go":        "installed copies of a package lie outside the tree; regular files, bounded, compared and not shown",
	"internal/formatter":                         "an installed program may be a link to a store outside; only looked at",
	"internal/scan/engine/pass.go":               "an installed program may be a link to a store outside; only looked at",
	"internal/framework/adapter/artifact.go":     "when what was loaded was made, wherever it lies; only looked at",
	"internal/framework/python/command_trace.go": "installed copies of a package lie outside the tree; names alone",
	"internal/memory":                            "/proc and control groups",
	"internal/runtime/cache":                     "caches of ours, and those of a copy before any code of the repository ran",
	"internal/runtime/caches.go":                 "caches of ours",
	"internal/runtime/clone":                     "copies a checkout before any test runs, and installations in copies that no test ran in yet; links are copied, not followed",
	"internal/runtime/limits":                    "/proc, control groups, and sizes of what a workspace holds",
	"internal/runtime/sandbox":                   "/proc, what is to be hidden of the machine, and git's own configuration in the checkout, which no test can write",
	"internal/runtime/container":                 "our own program, directories of ours, and git's own directory of the copy before anything ran there",
	"internal/runtime/tree":                      "walks, and looks at no link's goal but to find out where it leads; opens without leaving an access time",
	"internal/runtime/stage":                     "/proc, mount points, sizes of a workspace, and programs behind the sandbox as the tests' user",
	"internal/runtime/place":                     "workspaces and caches of ours, the root of the working copy, and the toolchain's own directory in the home of whoever runs us",
	"internal/runtime/repository/gitdir.go":      "git's own directory",
	"internal/runtime/editable.go":               "installations lie outside the tree; regular files, bounded",
	"internal/runtime/packages":                  "packages of the checkout and installations of copies in which no test ran yet: links are made, not followed; walks for directories, and finds out where an installed package leads",
	"internal/runtime/script.go":                 "whether a directory of programs exists",
	"internal/runtime/keep.go":                   "kept installations, ours; what goes there is digested first",
	"internal/runtime/look.go":                   "programs on PATH",
	"internal/runtime/toolchain/programs.go":     "programs on PATH, of which only size and time are read",
	"internal/runtime/run.go":                    "finds out whether a link leads out of the tree",
	"internal/runtime/refit.go":                  "a temporary directory of ours",
	"internal/runtime/warm.go":                   "caches of ours",
	"internal/runtime/provision":                 "toolchains, ours",
	"internal/runtime/walk":                      "follows no link",
	"internal/runtime/user":                      "/etc, /proc, and handing over without following links",
}

func TestFilesOfACheckoutAreOpenedThroughARoot(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	used := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && file != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		calls, err := pathCalls(file)
		if err != nil || len(calls) == 0 {
			return err
		}
		for allowed := range mayUsePaths {
			if strings.HasPrefix(rel, allowed) && (strings.HasSuffix(allowed, ".go") || strings.ContainsAny(rel[len(allowed):][:1], "/_.")) {
				used[allowed] = true
				return nil
			}
		}
		t.Errorf("%s uses %s: below a checkout, or a copy of one, go through an os.Root (packages rooted and output); elsewhere give the reason in mayUsePaths", rel, strings.Join(calls, ", "))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range mayUsePaths {
		if !used[name] {
			t.Errorf("%s is in mayUsePaths and uses no path any more: remove it there", name)
		}
	}
}

// pathCalls are the functions of byPath that a file names, called or handed on.
func pathCalls(file string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains(byPath[pkg.Name], sel.Sel.Name) {
			out = append(out, pkg.Name+"."+sel.Sel.Name)
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out), nil
}
