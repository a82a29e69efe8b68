package coverage

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

func mustParse(t *testing.T, text string, o Options) *qa.Coverage {
	t.Helper()
	cov, err := Parse(strings.NewReader(text), "report", o)
	if err != nil {
		t.Fatal(err)
	}
	return cov
}

func TestLCOVSmoke(t *testing.T) {
	t.Parallel()
	cov := mustParse(t, "TN:\nSF:src/a.c\nFN:1,main\nFNDA:3,main\nDA:1,3,abc==\nDA:2,0\nBRDA:1,0,0,1\nBRDA:1,0,1,-\nend_of_record\n", Options{})
	if got := cov.Lines.Text() + " " + cov.Branches.Text() + " " + cov.Functions.Text(); got != "1/2 = 50 % 1/2 = 50 % 1/1 = 100 %" || cov.Statements != nil {
		t.Error(got, cov.Statements)
	}
}
