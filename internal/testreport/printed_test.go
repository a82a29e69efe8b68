package testreport

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPrintedReports: a command prints its report on standard output, and others print
// before and after it.
func TestPrintedReports(t *testing.T) {
	t.Parallel()
	for name, report := range map[string]string{
		"junit":         `<?xml version="1.0"?>` + "\n" + `<testsuites><testsuite name="s"><testcase name="a"/></testsuite></testsuites>`,
		"junit, bare":   `<testsuite name="s"><testcase name="a"/></testsuite>`,
		"go test -json": `{"Action":"run","Package":"p","Test":"a"}` + "\n" + `{"Action":"pass","Package":"p","Test":"a"}` + "\n" + `{"Action":"pass","Package":"p"}`,
		"CTRF":          `{"results":{"tool":{"name":"x"},"summary":{"tests":1,"passed":1},"tests":[{"name":"a","status":"passed"}]}}`,
		"TAP":           "TAP version 14\n1..1\nok 1 - a",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, around := range []string{"%", "\n> app@1.0.0 test\n> make test\n\n%\n", "%\nbye\n"} {
				if strings.HasPrefix(report, "<") && strings.HasSuffix(around, "bye\n") {
					continue // behind XML, words are a sign of a damaged file
				}
				s, err := ReadFrom(strings.NewReader(strings.Replace(around, "%", report, 1)), "r", Options{})
				if err != nil {
					t.Fatalf("%q: %v", around, err)
				}
				if tally := s.Tally(); tally.Tests != 1 || tally.Passed != 1 || len(s.Problems) > 0 {
					t.Errorf("%q: %+v, %v", around, tally, s.Problems)
				}
			}
			cut := report[:len(report)*2/3]
			if s, err := ReadFrom(strings.NewReader("words\n"+cut), "r", Options{}); err == nil && len(s.Problems) == 0 {
				t.Errorf("cut off, it is %s", cmp.Diff("", brief(s)))
			}
		})
	}
}
