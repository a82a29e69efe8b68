package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestErrorsAreAlone: beside an error there is no half of an answer that
// somebody could take for the whole.
func TestErrorsAreAlone(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	dir := t.TempDir()
	many := "<testsuites><testsuite name='s'>" + strings.Repeat("<testcase name='t'/>", 500_001) + "</testsuite></testsuites>"
	var files strings.Builder
	files.WriteString("TN:\n")
	for i := range 200_001 {
		fmt.Fprintf(&files, "SF:f%d\nDA:1,1\nend_of_record\n", i)
	}
	for name, text := range map[string]string{"many.xml": many, "cut.xml": many[:1000], "files.info": files.String()} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"tests", "many.xml"}, "at most 500000 tests in the test reports of one run"},
		{[]string{"tests", "--json", "many.xml"}, "at most 500000 tests in the test reports of one run"},
		{[]string{"tests", "--json", "cut.xml"}, "the outcome of the tests is unknown"},
		{[]string{"tests", "cut.xml"}, "the outcome of the tests is unknown"},
		{[]string{"coverage", "--json", "files.info"}, "more than 200000 files in the coverage reports of one run"},
	} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Dir: dir}, tt.args)
		assert.Equal(t, code, exitInconclusive, "%q", tt.args)
		assert.Equal(t, out.String(), "", "%q", tt.args)
		assert.Check(t, strings.Contains(errs.String(), tt.want), errs.String())
	}
}
