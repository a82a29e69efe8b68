package testreport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where the copy of the tree was is neither shown nor part of what is compared.
func TestTextsAreFreeOfTheRoot(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	report := filepath.Join(root, "junit.xml")
	doc := `<testsuite name="s"><testcase name="a"><failure message="no">at ` + root + `/a.js:1:2
at file://` + root + `/b.js:3:4</failure><system-out>see ` + root + `/c.log and ` + root + `2/d.log</system-out></testcase></testsuite>`
	if err := os.WriteFile(report, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
	suite, err := Read([]string{report}, Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	text := suite.Cases[0].Message + "\n" + suite.Cases[0].Output
	if strings.Contains(text, root+"/") {
		t.Errorf("the root is left in %q", text)
	}
	for _, want := range []string{"at a.js:1:2", "at b.js:3:4", "see c.log", root + "2/d.log"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
}
