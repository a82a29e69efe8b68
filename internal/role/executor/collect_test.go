package executor

import (
	"io"
	"testing"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// movedStand is a stand whose commands have other names for things.
type movedStand struct{ stand }

func (movedStand) Local(to io.Writer) io.WriteCloser {
	return process.NewRedactor(nil).With("TestA", "TestZ").Writer(to)
}

// Where commands see a tree at another path than we do, its reports are read with
// our paths.
func TestReportsAreReadWithOurNames(t *testing.T) {
	t.Parallel()
	tree := movedStand{stand{dir: t.TempDir(), results: t.TempDir(), run: says(t, 0, passA, passP)}}
	run, err := Suite(t.Context(), tree, target, Options{Name: "run", Keep: fixture.Place(t, t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Suite.Cases) != 1 || run.Suite.Cases[0].Name != "TestZ" {
		t.Errorf("the report was read as %+v", run.Suite.Cases)
	}
}
