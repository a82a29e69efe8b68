package shell

import "testing"

// TestStarts: a line of a Makefile that only make can read is one of a suite that ran where it
// starts the suite's program, and not where it has a word of it.
func TestStarts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, program string
		want          bool
	}{
		{"$(GO) test $(FLAGS) ./...", "go test", true},
		{"go test ./...", "go test", true},
		{"@$(PYTHON) -m pytest $(ARGS)", "pytest", true},
		{"CI=1 npx jest --ci", "jest", true},
		{"node_modules/.bin/jest", "jest", true},
		{"uv run pytest", "pytest", true},
		{"$(PYTHON) tools/pytest_markers.py", "pytest", false},
		{"./check.sh --with pytest", "pytest", false},
		{"python runtests.py # pytest", "pytest", false},
		{"$(GO) vet ./... test", "go test", false},
		{"./jest-report", "jest", false},
		{"", "jest", false},
	} {
		if got := Starts(c.line, c.program); got != c.want {
			t.Errorf("%q, %s: %t", c.line, c.program, got)
		}
	}
}
