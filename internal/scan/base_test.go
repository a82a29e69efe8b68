package scan

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// TestMovedLinesAreNotWritten: an engine that cannot be run on base reports a
// line that the change only moved, one that it repeated, and one it wrote.
func TestMovedLinesAreNotWritten(t *testing.T) {
	t.Parallel()
	req := changed(t, "a.go", "package a\n\n\nvar b = md5.New()\n\tvar a = md5.New()\nvar b = md5.New()\n", qa.Range{Start: 4, End: 5})
	write(t, req.AbsRoot, "go.mod", "module example.com/a\n")
	req.Base = func(string) ([]byte, error) {
		return []byte("package a\nvar a = md5.New()\nvar b = md5.New()\n"), nil
	}
	req.Engines, req.ToolPath = []string{"gosec"}, anyTool
	req.Exec = func(context.Context, process.Command) (process.Result, error) {
		return process.Result{ExitCode: 1, Stdout: []byte(`{"Issues":[
			{"rule_id":"G401","details":"weak","file":"a.go","line":"4","column":"1"},
			{"rule_id":"G401","details":"weak","file":"a.go","line":"5","column":"1"},
			{"rule_id":"G401","details":"weak","file":"a.go","line":"6","column":"1"}],"Stats":{}}`)}, nil
	}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	status := map[int]qa.FindingStatus{}
	for _, f := range res.Findings {
		status[f.Lines.Start] = f.Status
	}
	want := map[int]qa.FindingStatus{4: qa.StatusNew, 5: qa.StatusKnown, 6: qa.StatusKnown}
	if diff := cmp.Diff(want, status); diff != "" {
		t.Error(diff)
	}
}

// TestTextIsReadFromTheCheckout: the copy that programs run in may have been
// rewritten by the repository's own tests.
func TestTextIsReadFromTheCheckout(t *testing.T) {
	t.Parallel()
	req := changed(t, "a.py", "import os\n", qa.Range{Start: 1, End: 1})
	req.ExecRoot = t.TempDir()
	write(t, req.ExecRoot, "a.py", "# nothing to see here\n")
	req.Engines, req.ToolPath = []string{"ruff"}, anyTool
	req.Exec = func(_ context.Context, c process.Command) (process.Result, error) {
		if c.Dir != req.ExecRoot {
			t.Errorf("run in %s", c.Dir)
		}
		return process.Result{Stdout: []byte(`[{"code":"F401","message":"unused","filename":"` + c.Dir + `/a.py","location":{"row":1,"column":1},"end_location":{"row":1,"column":9}}]`)}, nil
	}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if f := one(t, res); f.Path != "a.py" || f.Quote != "import os" {
		t.Errorf("%+v", f)
	}
}
