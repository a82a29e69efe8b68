package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/coverage/measured"
)

// headSize is how much of a file detection looks at.
const headSize = 64 << 10

// detect finds the format of a report by the start of its content, up to
// 64 KiB of it. The error names what the file seems to be instead, or lists the
// formats.
func detect(head []byte) (string, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")))) == 0 {
		return "", errors.New("the file is empty, expected a coverage report; did any test run with coverage on?")
	}
	for _, name := range Names() {
		if formats[name].Detects(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))) {
			return name, nil
		}
	}
	for _, other := range others {
		if other.is(head) {
			return "", fmt.Errorf("this is %s", other.what)
		}
	}
	return "", fmt.Errorf("unknown kind of report, expected one of %s; name it if the start of the file is damaged", strings.Join(Names(), ", "))
}

// others are files that people give by mistake.
var others = []struct {
	is   func(head []byte) bool
	what string
}{
	{starts("SQLite format 3"), "a coverage.py data file; write a report with \"coverage json\" or \"coverage xml\""},
	{starts("\x01\xC0\xC0"), "a JaCoCo execution file; write a report with its xml report task"},
	{starts("\x1f\x8b"), "a gzip file; unpack it first"},
	{starts("PK\x03\x04"), "a zip file; unpack it first"},
	{starts("\xFF\xFE"), "UTF-16 text; write the report as UTF-8, PowerShell's > does not"},
	{starts("\xFE\xFF"), "UTF-16 text; write the report as UTF-8"},
	{func(head []byte) bool {
		root, _ := measured.RootElement(head)
		return root == "testsuites" || root == "testsuite"
	}, "a test report, not a coverage report; read it with \"qa tests\""},
	{func(head []byte) bool { root, _ := measured.RootElement(head); return root == "html" }, "an HTML page; give the machine-readable report"},
}

func starts(prefix string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(prefix)) }
}
