package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/xmlscan"
)

// headSize is how much of a file detection looks at.
const headSize = 64 << 10

// maxFileName bounds a file name in a report.
const maxFileName = 4096

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
		root, _ := rootElement(head)
		return root == "testsuites" || root == "testsuite"
	}, "a test report, not a coverage report; read it with \"qa tests\""},
	{func(head []byte) bool { root, _ := rootElement(head); return root == "html" }, "an HTML page; give the machine-readable report"},
}

func starts(prefix string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(prefix)) }
}

// rootElement gives the name of an XML document's root and the names of its
// attributes and of the first element inside, "root>child".
func rootElement(head []byte) (root string, has func(attrOrChild string) bool) {
	s := xmlscan.New(bytes.NewReader(head), xmlscan.Limits{})
	seen := map[string]bool{}
	for s.Next() && len(seen) < 64 {
		if s.Kind() != xmlscan.Start {
			continue
		}
		if root == "" {
			root = string(s.Name())
			for _, name := range []string{"line-rate", "lines-valid", "branch-rate", "generated", "clover"} {
				if _, ok := s.Attr(name); ok {
					seen[name] = true
				}
			}
		} else if seen[">"+string(s.Name())] = true; s.Depth() > 2 {
			break
		}
	}
	return root, func(name string) bool { return seen[name] }
}

// jsonKeys reports whether head is a JSON object in whose start all keys occur.
func jsonKeys(head []byte, keys ...string) bool {
	if trimmed := bytes.TrimSpace(head); len(trimmed) == 0 || trimmed[0] != '{' {
		return false
	}
	for _, key := range keys {
		if !bytes.Contains(head, []byte(`"`+key+`"`)) {
			return false
		}
	}
	return true
}
