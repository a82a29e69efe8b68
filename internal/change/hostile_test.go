package change

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func only(kind qa.Kind, lang, path string, status qa.FileStatus, ranges ...qa.Range) qa.FileChange {
	return qa.FileChange{Path: path, Status: status, Kind: kind, Language: lang, Added: ranges}
}

// Nothing that a repository can configure is run.
func TestConfigurationRunsNothing(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	canary := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+canary+"\ncat\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("a.go", "package a\n")
	r.write("f.txt", "a\n")
	r.write(".gitattributes", "*.go filter=evil diff=evil\n*.txt filter=other.x diff=conv merge=evil\n")
	r.commit("base")
	included := filepath.Join(t.TempDir(), "included")
	for _, set := range [][2]string{
		{"core.fsmonitor", program}, {"core.sshCommand", program}, {"core.pager", program}, {"core.askPass", program},
		{"core.gitProxy", program}, {"diff.external", program}, {"diff.evil.command", program}, {"diff.evil.textconv", program},
		{"diff.conv.textconv", program}, {"filter.evil.clean", program}, {"filter.evil.smudge", program},
		{"filter.other.x.process", program}, {"filter.evil.required", "true"}, {"credential.helper", "!" + program},
		{"remote.origin.url", "ext::" + program}, {"remote.origin.uploadpack", program}, {"protocol.ext.allow", "always"},
		{"core.worktree", "/"}, {"core.editor", program}, {"gpg.program", program}, {"status.showUntrackedFiles", "no"},
		{"diff.noprefix", "true"}, {"diff.context", "9"}, {"color.ui", "always"}, {"diff.renames", "false"}, {"include.path", included},
	} {
		r.git("config", set[0], set[1])
	}
	if err := os.WriteFile(included, []byte("[filter \"evil\"]\n\tprocess = "+program+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "pre-auto-gc"} {
		if err := os.WriteFile(filepath.Join(r.dir, ".git", "hooks", hook), []byte("#!/bin/sh\ntouch "+canary+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.write("a.go", "package a\n\nvar x = 1\n")
	r.write("f.txt", "b\n")
	r.write("new.go", "package a\n")
	got := fromGit(t, r, Options{Fetch: true})
	want := []qa.FileChange{
		only(qa.KindSource, "go", "a.go", qa.Modified, qa.Range{Start: 2, End: 3}),
		{Path: "f.txt", Status: qa.Modified, Kind: qa.KindDocs, Added: []qa.Range{{Start: 1, End: 1}}, Removed: 1},
		{Path: "new.go", OldPath: "a.go", Status: qa.Copied, Kind: qa.KindSource, Language: "go", Added: []qa.Range{{Start: 1, End: 1}}},
	}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	parent := strings.Repeat("1", 40)
	if _, err := MapLines(t.Context(), Options{Dir: r.dir, Fetch: true}, parent, got.Head); err == nil || !strings.Contains(err.Error(), "is not one that is fetched from here") {
		t.Errorf("fetch from a program: %v", err)
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("a program of the repository's configuration ran")
	}
}

// Attributes cannot make source files disappear from the change.
func TestAttributesHideNothing(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "1\n2\n")
	r.write("del.go", "1\n")
	r.write("bin.dat", "\x00\x01")
	r.write("zero.js", strings.Repeat("// x\n", 10))
	r.commit("base")
	r.write("zero.js", strings.Repeat("// x\n", 10)+"/* \x00 */ evil()\n")
	r.write("one.js", "/* \x00 */ evil()"+strings.Repeat(" ", 30)+"\n")
	r.write(".gitattributes", "*.go -diff\n*.py binary\n*.dat diff\n")
	r.write("a.go", "1\nnew\n2\n")
	r.remove("del.go")
	r.write("b.py", "1\n2\n3\n")
	r.write("bin.dat", "\x00\x02")
	want := []qa.FileChange{
		only(qa.KindConfig, "", ".gitattributes", qa.Added, qa.Range{Start: 1, End: 3}),
		only(qa.KindSource, "go", "a.go", qa.Modified, qa.Range{Start: 2, End: 2}),
		{Path: "b.py", OldPath: "a.go", Status: qa.Copied, Kind: qa.KindSource, Language: "python", Added: []qa.Range{{Start: 1, End: 3}}},
		{Path: "bin.dat", Status: qa.Modified, Kind: qa.KindOther, Binary: true},
		{Path: "del.go", Status: qa.Deleted, Kind: qa.KindSource, Language: "go", Removed: 1},
		only(qa.KindSource, "javascript", "one.js", qa.Added, qa.Range{Start: 1, End: 1}),
		only(qa.KindSource, "javascript", "zero.js", qa.Modified, qa.Range{Start: 11, End: 11}),
	}
	if diff := cmp.Diff(want, fromGit(t, r, Options{}).Files); diff != "" {
		t.Error(diff)
	}
	base := r.git("rev-parse", "HEAD")
	head := r.commit("head")
	if diff := cmp.Diff(want, fromGit(t, r, Options{Base: base}).Files); diff != "" {
		t.Errorf("committed: %s", diff)
	}
	r.remove("a.go") // mapping is about the commits, whatever the working copy holds
	m, err := MapLines(t.Context(), Options{Dir: r.dir}, base, head)
	if err != nil {
		t.Fatal(err)
	}
	if path, line, ok := m.ToHead("a.go", 2); !ok || path != "a.go" || line != 3 {
		t.Errorf("line 2 leads to %s:%d %t", path, line, ok)
	}
	if _, _, ok := m.ToHead("bin.dat", 1); ok {
		t.Error("a line of a binary file was followed")
	}
}

func TestOddNamesAndFiles(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("plain.go", "a\n")
	r.write("link", "x\n")
	r.write("mode.sh", "echo\n")
	r.write("crlf.js", "a\r\nb\r\n")
	r.commit("base")
	names := []string{"-rf.go", ":(glob)*.go", "a\tb\x01.go", "back\\slash.go", "new\nline.go", "quo\"te'.go", "sp ace/ünï/測.go", "\xff\xfe.go", "@@ -1 +1 @@.go"}
	for _, name := range names {
		r.write(name, "+++ b/plain.go\n@@ -1 +1 @@\ndiff --git a/x b/x")
	}
	r.remove("link")
	if err := os.Symlink("/etc/passwd", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(r.dir, "mode.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(r.dir, "pipe.go"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.write("crlf.js", "a\r\nb\r\nc")
	inner := tree{t, filepath.Join(r.dir, "inner")}
	r.write("inner/x.go", "x\n")
	inner.git("init", "-q")
	got := map[string]qa.FileChange{}
	for _, f := range fromGit(t, r, Options{}).Files {
		got[f.Path] = f
	}
	want := map[string]qa.FileChange{
		"link":    {Path: "link", Status: qa.Modified, Kind: qa.KindOther, Added: []qa.Range{{Start: 1, End: 1}}, Removed: 1},
		"mode.sh": only(qa.KindSource, "shell", "mode.sh", qa.Modified),
		"crlf.js": only(qa.KindSource, "javascript", "crlf.js", qa.Modified, qa.Range{Start: 3, End: 3}),
	}
	for _, name := range names {
		want[name] = only(qa.KindSource, "go", name, qa.Added, qa.Range{Start: 1, End: 3})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSubmodules(t *testing.T) {
	t.Parallel()
	lib := newTree(t)
	lib.write("l.go", "l\n")
	lib.commit("lib")
	r := newTree(t)
	r.write("a.go", "a\n")
	r.commit("base")
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.dir, "lib")
	r.commit("add submodule")
	inner := tree{t, filepath.Join(r.dir, "lib")}
	got := fromGit(t, r, Options{})
	want := []qa.FileChange{
		only(qa.KindConfig, "", ".gitmodules", qa.Added, qa.Range{Start: 1, End: 3}),
		{Path: "lib", Status: qa.Added, Kind: qa.KindOther, Submodule: true},
	}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	inner.write("l.go", "other\n")
	if got := fromGit(t, r, Options{}); got.Dirty {
		t.Error("edits inside a submodule are not ours")
	}
	inner.commit("moved on")
	got = fromGit(t, r, Options{Base: "HEAD"})
	if len(got.Files) != 1 || !got.Files[0].Submodule || got.Files[0].Status != qa.Modified {
		t.Errorf("got %+v", got.Files)
	}
	inside, err := FromGit(t.Context(), Options{Dir: inner.dir})
	if err != nil || len(inside.Files) != 1 {
		t.Errorf("inside the submodule: %v %+v", err, inside.Files)
	}
}

func TestUnmergedFilesAreRefused(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "a\n")
	r.commit("base")
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.go", "b\n")
	r.commit("topic")
	r.git("checkout", "-q", "main")
	r.write("a.go", "c\n")
	r.commit("main")
	if res, err := r.run("merge", "topic"); err != nil || res.ExitCode == 0 {
		t.Fatal("no conflict")
	}
	_, err := FromGit(t.Context(), Options{Dir: r.dir})
	if err == nil || !strings.Contains(err.Error(), `the working copy has unmerged files ("a.go"); finish or abort the merge first`) {
		t.Errorf("error %v", err)
	}
}

func TestAllFiles(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "1\n2")
	r.write("gone.go", "1\n")
	r.write("empty.py", "")
	r.write("bin", "\x00")
	r.write("big.js", strings.Repeat("x();\n", 10_000))
	r.commit("base")
	r.remove("gone.go")
	r.write("new.rb", "1\n")
	got := fromGit(t, r, Options{Scope: ScopeAll})
	want := []qa.FileChange{
		only(qa.KindSource, "go", "a.go", qa.Added, qa.Range{Start: 1, End: 2}),
		only(qa.KindSource, "javascript", "big.js", qa.Added, qa.Range{Start: 1, End: 10_000}),
		{Path: "bin", Status: qa.Added, Kind: qa.KindOther, Binary: true},
		only(qa.KindSource, "python", "empty.py", qa.Added),
		only(qa.KindSource, "ruby", "new.rb", qa.Added, qa.Range{Start: 1, End: 1}),
	}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	if !got.All || !got.Dirty {
		t.Errorf("all %t, dirty %t", got.All, got.Dirty)
	}
}

// A patch larger than what is held at once is read in portions, with the same
// result.
func TestHugeDiffsAreReadInPortions(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	for i := range 40 {
		r.write(fmt.Sprintf("f%02d.go", i), strings.Repeat(fmt.Sprintln("line", i), 50))
	}
	r.write("moved.go", strings.Repeat("move\n", 50))
	base := r.commit("base")
	for i := range 40 {
		r.write(fmt.Sprintf("f%02d.go", i), "new\n"+strings.Repeat(fmt.Sprintln("line", i), 49))
	}
	r.git("mv", "moved.go", "to.go")
	r.write("to.go", strings.Repeat("move\n", 50)+"more\n")
	want := fromGit(t, r, Options{})
	repo, err := openRepo(t.Context(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	repo.limit = 8000
	view, err := repo.workingView(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer view.close()
	entries, err := view.changed(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	got, err := view.files(t.Context(), entries)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Files, got); diff != "" {
		t.Error(diff)
	}
}
