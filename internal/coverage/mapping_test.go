package coverage

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lcovOf makes a report that names files.
func lcovOf(names ...string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("SF:" + n + "\nDA:1,1\nend_of_record\n")
	}
	return b.String()
}

func TestMapping(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, tt := range []struct {
		name    string
		names   []string
		tracked []string
		options Options
		want    []string // sorted
		warning string
	}{
		{name: "as it is", names: []string{"src/a.js", "./src/b.js"}, tracked: []string{"src/a.js", "src/b.js"}, want: []string{"src/a.js", "src/b.js"}},
		{name: "under the root", names: []string{root + "/src/a.js"}, tracked: []string{"src/a.js"}, want: []string{"src/a.js"}},
		{name: "run in a folder", names: []string{"src/a.js"}, tracked: []string{"src/a.js", "web/src/a.js"}, options: Options{Dir: "web"}, want: []string{"web/src/a.js"}},
		{name: "above the folder of the run", names: []string{"../lib/a.js"}, tracked: []string{"lib/a.js", "web/lib/a.js"}, options: Options{Dir: "web"}, want: []string{"lib/a.js"}},
		{name: "container", names: []string{"/usr/src/app/src/a.js"}, tracked: []string{"src/a.js"}, want: []string{"src/a.js"}},
		{name: "container of a sub-folder", names: []string{"/app/src/a.js", "/app/index.js"}, tracked: []string{"web/src/a.js", "web/index.js", "api/index.js"}, want: []string{"web/index.js", "web/src/a.js"}},
		{name: "Windows", names: []string{`D:\a\app\app\Src\A.cs`, `src\b.cs`}, tracked: []string{"src/a.cs", "src/b.cs"}, want: []string{"src/a.cs", "src/b.cs"}},
		{name: "file URL and webpack", names: []string{"file:///app/src/a.js", "webpack:///./src/b.js"}, tracked: []string{"src/a.js", "src/b.js"}, want: []string{"src/a.js", "src/b.js"}},
		{name: "ambiguous", names: []string{"/app/index.js"}, tracked: []string{"a/index.js", "b/index.js"}, warning: `1 of 1 files could be several of the repository and are not counted: "/app/index.js" could be a/index.js, b/index.js`},
		{name: "longest end", names: []string{"/x/b/index.js"}, tracked: []string{"a/index.js", "b/index.js"}, want: []string{"b/index.js"}},
		{name: "a base name alone is not enough beside better evidence", names: []string{"/app/src/a.js", "/usr/lib/setup.py"}, tracked: []string{"src/a.js", "setup.py"}, want: []string{"src/a.js"}, warning: `"/usr/lib/setup.py"`},
		{name: "a base name that follows from the others", names: []string{"/app/src/a.js", "/app/main.js"}, tracked: []string{"src/a.js", "main.js"}, want: []string{"main.js", "src/a.js"}},
		{name: "single file in a container", names: []string{"/app/main.py"}, tracked: []string{"main.py"}, want: []string{"main.py"}},
		{name: "other people's code", names: []string{"/app/node_modules/dep/src/a.js"}, tracked: []string{"src/a.js"}, warning: "not in the repository"},
		{name: "escaping", names: []string{"../../../etc/passwd", "/etc/passwd", `..\..\x`, "..", "/"}, tracked: []string{"src/a.js"}, warning: "5 of 5 files are not in the repository"},
		{name: "two names of one file", names: []string{"/a/src/x.js", "/b/src/x.js"}, tracked: []string{"src/x.js"}, want: []string{"src/x.js"}},
		{name: "case decides", names: []string{"/app/src/A.js"}, tracked: []string{"src/A.js", "src/a.js"}, want: []string{"src/A.js"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := tt.options
			o.Tracked = tt.tracked
			o.Root = root
			cov, err := parseText(strings.NewReader(lcovOf(tt.names...)), "r", o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range cov.Files {
				got = append(got, f.Path)
			}
			if !cmp.Equal(got, tt.want) {
				t.Errorf("mapped %s", cmp.Diff(tt.want, got))
			}
			if warnings := strings.Join(cov.Warnings, "\n"); !strings.Contains(warnings, tt.warning) || tt.warning == "" && warnings != "" {
				t.Errorf("warnings %q, want %q", warnings, tt.warning)
			}
		})
	}
}

// Without a repository names are kept, but for those that are no relative path.
func TestNamesWithoutRepository(t *testing.T) {
	t.Parallel()
	cov, err := parseText(strings.NewReader(lcovOf("src/a.js", "/etc/passwd", "../x.js")), "r", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(cov.Files) != 1 || cov.Files[0].Path != "src/a.js" || len(cov.Warnings) != 1 {
		t.Errorf("%+v", cov)
	}
}

func TestNothingMappedIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	report := filepath.Join(dir, "lcov.info")
	if err := os.WriteFile(report, []byte(lcovOf("/elsewhere/x.c")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Read([]string{report}, Options{Tracked: []string{"src/a.c"}})
	if !errors.Is(err, ErrNothingMapped) || !strings.Contains(err.Error(), "/elsewhere/x.c") {
		t.Errorf("error %v", err)
	}
}

// A link that leads out of the tree is not followed to read a source.
func TestSourceStaysInTheTree(t *testing.T) {
	t.Parallel()
	outside, root := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "a.go"), []byte("package a\n\nfunc A() {\n\tprintln()\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "a.go"), filepath.Join(root, "a.go")); err != nil {
		t.Fatal(err)
	}
	cov, err := parseText(strings.NewReader("mode: set\nexample.com/x/a.go:3.10,5.2 1 1\n"), "r", Options{Root: root, Tracked: []string{"a.go"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(cov.Files) != 1 || len(cov.Files[0].Lines) != 3 || len(cov.Warnings) != 1 {
		t.Errorf("%s", show(cov))
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "absent"), "/dev/null"} {
		if _, err := Read([]string{path}, Options{}); err == nil || !strings.Contains(err.Error(), "read coverage") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if _, err := Read(nil, Options{}); err == nil {
		t.Error("no report: no error")
	}
	_, err := parseText(strings.NewReader("SF:a\n"), "r", Options{Format: "lcow"})
	if err == nil || !strings.Contains(err.Error(), `unknown coverage format "lcow", valid formats are clover, cobertura, coveragepy, gocover, istanbul, jacoco, lcov, opencover, simplecov`) {
		t.Errorf("error %v", err)
	}
}

func TestDetectNamesWhatElseItIs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                  "the file is empty",
		"\xEF\xBB\xBF \n":                   "the file is empty",
		"SQLite format 3\x00":               "coverage json",
		"\x01\xC0\xC0\x10":                  "JaCoCo execution file",
		"\x1f\x8b\x08":                      "gzip",
		"<testsuites/>":                     "qa tests",
		"<?xml version='1.0'?>\n<testsuite": "unknown kind of report, expected one of clover, cobertura",
		"\xFF\xFEm\x00o\x00":                "UTF-16",
		"hello":                             "unknown kind of report",
		"[1,2]":                             "unknown kind of report",
	} {
		if _, err := detect([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}
