package floors

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shownIn are the pages whose tables name the tests that show each row.
var shownIn = []string{"mission.md", "verdict.md"}

// scriptsOf are the folders of the scripts that a page names by a letter.
var scriptsOf = map[string]string{"S": "soundness", "E": "soundness/e2e", "T": "."}

var (
	scriptName = regexp.MustCompile(`^([SET])/([a-z0-9-]+)$`)
	testName   = regexp.MustCompile(`^(?:([a-z0-9/]+)\.)?(Test\w+)(?:/([a-z0-9-]+))?$`)
)

// TestWhatIsShownIsATest: each row of the tables of promises ends with tests, and each of
// them exists.
func TestWhatIsShownIsATest(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	tests := testsIn(t, root)
	for _, page := range shownIn {
		raw, err := os.ReadFile(filepath.Join(root, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for line := range strings.SplitSeq(string(raw), "\n") {
			cells := strings.Split(strings.Trim(line, "| "), "|")
			last := strings.TrimSpace(cells[len(cells)-1])
			if !strings.HasPrefix(line, "|") || last == "shown by" || strings.HasPrefix(last, "---") {
				continue
			}
			rows++
			known := 0
			for _, word := range strings.Split(last, ",") {
				word = strings.TrimSpace(word)
				word, _, _ = strings.Cut(word, " (")
				switch {
				case scriptName.MatchString(word):
					m := scriptName.FindStringSubmatch(word)
					if _, err := os.Stat(filepath.Join(root, "testdata", "script", scriptsOf[m[1]], m[2]+".txtar")); err != nil {
						t.Errorf("%s: there is no script %s", page, word)
					}
					known++
				case testName.MatchString(word):
					m := testName.FindStringSubmatch(word)
					if !tests[m[1]+"."+m[2]] && !(m[1] == "" && tests["cli."+m[2]]) {
						t.Errorf("%s: there is no test %s", page, word)
					}
					known++
				}
			}
			if known == 0 {
				t.Errorf("%s: no test shows: %s", page, line)
			}
		}
		if rows == 0 {
			t.Errorf("%s has no table", page)
		}
	}
}

// testsIn are all tests of the repository, as package.Name; a package is its last
// folder, and also as it is called from the root.
func testsIn(t *testing.T, root string) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	tests := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && name != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, m := range declared.FindAllStringSubmatch(string(raw), -1) {
			tests[filepath.Base(rel)+"."+m[1]], tests[filepath.ToSlash(rel)+"."+m[1]] = true, true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
