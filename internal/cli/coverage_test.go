package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
)

const (
	sampleLCOV = "SF:src/a.js\nDA:1,1\nDA:2,0\nDA:3,0\nDA:5,2\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\nSF:gen/b.js\nDA:1,0\nend_of_record\n"
	sampleDiff = `diff --git a/src/a.js b/src/a.js
--- a/src/a.js
+++ b/src/a.js
@@ -1,1 +1,5 @@
 one();
+two();
+three();
+
+five();
diff --git a/src/new.js b/src/new.js
new file mode 100644
--- /dev/null
+++ b/src/new.js
@@ -0,0 +1,1 @@
+alone();
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1,1 +1,2 @@
 # a
+text
`
	onlyText = "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,2 @@\n # a\n+text\n"
)

func coverageFiles() map[string]string {
	return map[string]string{
		"src/a.js": "one();\ntwo();\nthree();\n\nfive();\n", "gen/b.js": "x();\n", "src/new.js": "alone();\n", "README.md": "# a\ntext\n",
		"out/lcov.info": sampleLCOV, "change.diff": sampleDiff, "text.diff": onlyText,
		"out/empty.info": "", "out/other.info": "SF:/elsewhere/x.c\nDA:1,1\nend_of_record\n", "out/broken.info": "SF:src/a.js\nDA:1",
	}
}

func runCoverage(t *testing.T, dir, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Dir: dir}
	code = Main(t.Context(), env, append([]string{"coverage"}, args...))
	return code, out.String(), strings.ReplaceAll(errs.String(), dir, "DIR")
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCoverageText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, coverageFiles())
	code, out, stderr := runCoverage(t, dir, "", "out/lcov.info", "--diff", "change.diff", "--exclude", "gen/**")
	want := `FILE      LINES       BRANCHES    FUNCTIONS
src/a.js  2/4 = 50 %  1/2 = 50 %  -
total     2/4 = 50 %  1/2 = 50 %  -
changed lines covered: 1/3 = 33.33 %
6 changed = 3 executable + 2 non-code + 0 excluded + 1 unmapped
missing  src/a.js: 2-3
warning  src/new.js was changed and no report knows it
`
	if code != 0 || out != want {
		t.Errorf("exit %d, %s\n%s", code, stderr, cmp.Diff(want, out))
	}
}

func TestCoverageJSON(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, coverageFiles())
	code, out, stderr := runCoverage(t, dir, sampleDiff, "out/*.info", "--json", "--diff", "-", "--format", "lcov")
	if code != 3 || out != "" || !strings.Contains(stderr, "broken.info") {
		t.Errorf("one unreadable report of several: exit %d, %q, %s", code, out, stderr)
	}
	code, out, stderr = runCoverage(t, dir, sampleDiff, "out/lcov.info", "--json", "--diff", "-")
	want := `{
  "lines": {
    "covered": 2,
    "total": 5
  },
  "statements": null,
  "branches": {
    "covered": 1,
    "total": 2
  },
  "functions": null,
  "files": [
    {
      "path": "gen/b.js",
      "lines": {
        "covered": 0,
        "total": 1
      },
      "branches": {
        "covered": 0,
        "total": 0
      }
    },
    {
      "path": "src/a.js",
      "lines": {
        "covered": 2,
        "total": 4
      },
      "branches": {
        "covered": 1,
        "total": 2
      }
    }
  ],
  "patch": {
    "lines": {
      "covered": 1,
      "total": 3
    },
    "missing": [
      {
        "path": "src/a.js",
        "ranges": [
          [
            2,
            3
          ]
        ]
      }
    ],
    "changed": 6,
    "non_code": 2,
    "excluded": 0,
    "unmapped": [
      "src/new.js"
    ]
  }
}
`
	if code != 0 || out != want {
		t.Errorf("exit %d, %s\n%s", code, stderr, cmp.Diff(want, out))
	}
}

func TestCoverageExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, coverageFiles())
	for _, tt := range []struct {
		name string
		args []string
		code int
		err  string
	}{
		{"reached", []string{"out/lcov.info", "--fail-under", "40"}, 0, ""},
		{"under", []string{"out/lcov.info", "--fail-under", "40.01"}, 1, ""},
		{"excluded files do not count", []string{"out/lcov.info", "--fail-under", "50", "--exclude", "gen/*"}, 0, ""},
		{"changed lines reached", []string{"out/lcov.info", "--diff", "change.diff", "--fail-under", "33.33"}, 0, ""},
		{"changed lines under", []string{"out/lcov.info", "--diff", "change.diff", "--fail-under", "33.34"}, 1, ""},
		{"nothing executable changed", []string{"out/lcov.info", "--diff", "text.diff", "--fail-under", "100"}, 0, ""},
		{"only unmapped files changed", []string{"out/lcov.info", "--diff", "change.diff", "--fail-under", "0", "--exclude", "src/a.js"}, 3, "no report knows src/new.js"},
		{"everything excluded", []string{"out/lcov.info", "--fail-under", "0", "--exclude", "**"}, 3, "list no executable line"},
		{"empty report", []string{"out/empty.info"}, 3, "the file is empty"},
		{"no such report", []string{"out/absent.info"}, 3, "no such file"},
		{"broken report", []string{"out/broken.info"}, 3, `read lcov "DIR/out/broken.info": line 2: malformed DA`},
		{"nothing mapped", []string{"out/other.info"}, 3, "name it with --root"},
		{"not a format", []string{"out/lcov.info", "--format", "lcow"}, 2, "valid formats are clover"},
		{"not a percentage", []string{"out/lcov.info", "--fail-under", "NaN"}, 2, "expected a percentage"},
		{"too many decimals", []string{"out/lcov.info", "--fail-under", "99.999"}, 2, "at most two decimals"},
		{"not a glob", []string{"out/lcov.info", "--exclude", "a[b"}, 2, "malformed glob"},
		{"not a folder", []string{"out/lcov.info", "--root", "absent"}, 2, "not a directory"},
		{"no such diff", []string{"out/lcov.info", "--diff", "absent.diff"}, 2, "read diff"},
		{"two diffs", []string{"out/lcov.info", "--diff", "x", "--diff-base", "y"}, 2, "can't be used together"},
		{"no report", nil, 2, "expected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, out, stderr := runCoverage(t, dir, "", tt.args...)
			if code != tt.code || !strings.Contains(stderr, tt.err) {
				t.Errorf("exit %d, want %d with %q\n%s%s", code, tt.code, tt.err, out, stderr)
			}
		})
	}
}

// In a working copy, from a folder of it, against a commit.
func TestCoverageOfWorkingCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		argv := append([]string{"git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"}, args...)
		res, err := process.Run(t.Context(), process.Command{Argv: argv, Dir: dir, Env: os.Environ()})
		if err != nil || res.ExitCode != 0 {
			t.Fatalf("git %v: %v %s", args, err, res.Stderr)
		}
	}
	writeFiles(t, dir, map[string]string{"web/src/größe a.js": "one();\r\n", "src/größe a.js": "other();\n"})
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	writeFiles(t, dir, map[string]string{
		"web/src/größe a.js": "one();\r\ntwo();\r\nthree();", // no newline at the end
		"web/lcov.info":      "SF:src/größe a.js\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record\n",
	})
	code, out, stderr := runCoverage(t, filepath.Join(dir, "web"), "", "lcov.info", "--diff-base", "HEAD")
	if want := "changed lines covered: 1/2 = 50 %\n"; code != 0 || !strings.Contains(out, want) {
		t.Errorf("exit %d, want %q\n%s%s", code, want, out, stderr)
	}
	if !strings.Contains(out, "web/src/größe a.js  2/3") || !strings.Contains(out, "missing  web/src/größe a.js: 3\n") {
		t.Errorf("got\n%s%s", out, stderr)
	}
}
