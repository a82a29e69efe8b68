package python

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/framework/adapter"
)

func TestNodeIDs(t *testing.T) {
	t.Parallel()
	d := adapter.Detection{Dir: "svc"}
	got := nodes(d, []adapter.Selected{
		{File: "svc/tests/test_a.py", Suite: "tests.test_a", Name: "test_x[a/b]"},
		{File: "svc/tests/test_a.py", Suite: "tests.test_a.TestB.TestC", Name: "test_y"},
		{File: "svc/tests/base.py", Suite: "tests.test_c.TestD", Name: "test_inherited"},
		{File: "svc/tests/test_e.py"},
		{File: "svc/tests/test_g.py", Suite: "TestH.TestI", Name: "test_x"},
		{File: "svc/README.md", Suite: "README.md", Name: "README.md"},
		{File: "other/test_f.py", Name: "test_z"},
	})
	want := []string{
		"tests/test_a.py::test_x[a/b]", "tests/test_a.py::TestB::TestC::test_y", "tests/test_c.py::TestD::test_inherited", "tests/test_e.py",
		"tests/test_g.py::TestH::TestI::test_x", "README.md::README.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}
