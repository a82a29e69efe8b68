package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

const zoo = `diff --git a/a.go b/a.go
index 1111111..2222222 100644
--- a/a.go
+++ b/a.go
@@ -1,5 +1,6 @@ package a
 1
-2
+two
+two and a half
 3
 4
-5
+5
\ No newline at end of file
diff --git "a/sp \303\244\"\n.py" "b/new \t.py"
similarity index 90%
rename from "sp \303\244\"\n.py"
rename to "new \t.py"
index 1111111..2222222 100644
--- "a/sp \303\244\"\n.py"
+++ "b/new \t.py"
@@ -3,0 +4 @@ def f():
+    pass
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
index 1111111..0000000
--- a/gone.ts
+++ /dev/null
@@ -1,2 +0,0 @@
-1
-2
diff --git a/copy.rb b/copied.rb
similarity index 100%
copy from copy.rb
copy to copied.rb
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/i.png b/i.png
index 1111111..2222222 100644
Binary files a/i.png and b/i.png differ
diff --git a/lib b/lib
index 1111111..2222222 160000
--- a/lib
+++ b/lib
@@ -1 +1 @@
-Subproject commit 1111111111111111111111111111111111111111
+Subproject commit 2222222222222222222222222222222222222222
diff --git a/kind b/kind
deleted file mode 100644
index 1111111..0000000
--- a/kind
+++ /dev/null
@@ -1 +0,0 @@
-text
diff --git a/kind b/kind
new file mode 120000
index 0000000..2222222
--- /dev/null
+++ b/kind
@@ -0,0 +1 @@
+target
\ No newline at end of file
`

func TestFromDiff(t *testing.T) {
	t.Parallel()
	want := []qa.FileChange{
		{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Language: "go", Added: []qa.Range{{Start: 2, End: 3}, {Start: 6, End: 6}}, Removed: 2},
		{Path: "copied.rb", OldPath: "copy.rb", Status: qa.Copied, Kind: qa.KindSource, Language: "ruby"},
		{Path: "gone.ts", Status: qa.Deleted, Kind: qa.KindSource, Language: "typescript", Removed: 2},
		{Path: "i.png", Status: qa.Modified, Kind: qa.KindOther, Binary: true},
		{Path: "kind", Status: qa.Modified, Kind: qa.KindOther, Added: []qa.Range{{Start: 1, End: 1}}, Removed: 1},
		{Path: "lib", Status: qa.Modified, Kind: qa.KindOther, Submodule: true},
		{Path: "new \t.py", OldPath: "sp ä\"\n.py", Status: qa.Renamed, Kind: qa.KindSource, Language: "python", Added: []qa.Range{{Start: 4, End: 4}}},
		{Path: "run.sh", Status: qa.Modified, Kind: qa.KindSource, Language: "shell"},
	}
	got, err := FromDiff(strings.NewReader(zoo))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	m, err := mapDiff(strings.NewReader(zoo))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path string
		line int
		want string
	}{
		{"a.go", 1, "a.go:1"}, {"a.go", 2, ""}, {"a.go", 3, "a.go:4"}, {"a.go", 5, ""}, {"a.go", 6, "a.go:7"},
		{"sp ä\"\n.py", 3, "new \t.py:3"}, {"sp ä\"\n.py", 4, "new \t.py:5"}, {"new \t.py", 1, ""},
		{"gone.ts", 1, ""}, {"copy.rb", 7, "copy.rb:7"}, {"i.png", 1, ""}, {"elsewhere.go", 9, "elsewhere.go:9"}, {"a.go", 0, ""},
	} {
		path, line, ok := m.ToHead(tc.path, tc.line)
		got := ""
		if ok {
			got = path + ":" + qa.Range{Start: line, End: line}.String()
		}
		if got != tc.want {
			t.Errorf("%s:%d leads to %q, want %q", tc.path, tc.line, got, tc.want)
		}
	}
	if path, line, ok := toBase(m, "copied.rb", 3); !ok || path != "copy.rb" || line != 3 {
		t.Errorf("a copy comes from %s:%d %t", path, line, ok)
	}
	if _, _, ok := toBase(m, "gone.ts", 1); ok {
		t.Error("a deleted file has head lines")
	}
}

func TestFromDiffOfOtherPrograms(t *testing.T) {
	t.Parallel()
	got, err := FromDiff(strings.NewReader("Only in new: x\n--- old/a.go\t2026-01-01 00:00:00.000000000 +0000\n+++ new/a.go\t2026-01-01 00:00:00.000000000 +0000\n@@ -1 +1,2 @@\n 1\n+2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].AddedLines() != 1 {
		t.Errorf("got %+v", got)
	}
	if got, err := FromDiff(strings.NewReader("")); err != nil || len(got) != 0 {
		t.Errorf("empty diff: %v %v", got, err)
	}
}

func TestBadDiffs(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ in, want string }{
		"torn hunk":  {"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n", "read diff: gitdiff: line 4"},
		"bad counts": {"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,x +1 @@\n 1\n", "read diff: gitdiff: line"},
		"outside":    {"diff --git a/../../x b/../../x\n--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-1\n+2\n", "is not a path inside the repository"},
		"line zero":  {"--- a\n+++ a\n@@ -0 +0 @@\n-1\n+2\n", `a hunk of "a" begins at line 0`},
		"backwards":  {"--- a\n+++ a\n@@ -5 +5 @@\n-1\n+2\n@@ -1 +1 @@\n-1\n+2\n", "behind line 5 was expected"},
		"twice":      {"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n", `"a" occurs twice`},
	} {
		_, err := FromDiff(strings.NewReader(tc.in))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %s", name, err, tc.want)
		}
	}
}

func FuzzFromDiff(f *testing.F) {
	f.Add(zoo)
	f.Add("--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n")
	f.Fuzz(func(t *testing.T, in string) {
		files, err := FromDiff(strings.NewReader(in))
		if err != nil {
			return
		}
		for _, file := range files {
			last := 0
			for _, r := range file.Added {
				if r.Start <= last || r.End < r.Start {
					t.Errorf("%q has ranges %v", file.Path, file.Added)
				}
				last = r.End
			}
		}
	})
}

func FuzzRawPatch(f *testing.F) {
	f.Add([]byte(":100644 100644 1111 2222 M\x00a\x00\x00diff --git a/a b/a\n@@ -1 +1 @@\n-a\n+b\n"))
	f.Add([]byte(":100644 100644 1111 2222 R90\x00a\x00b\x00:100644 120000 1 2 T\x00c\x00\x00"))
	f.Fuzz(func(_ *testing.T, in []byte) {
		entries, patch, err := parseRaw(in)
		if err == nil {
			_ = attach(entries, patch)
		}
	})
}
