package baseline

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/session"
)

// unneeded says on what evidence no test has to run: nothing changed, or an
// earlier whole run of exactly the base commit, of the same tests, opened none of the
// files that changed. Files that were added, removed or renamed may be found by a test that lists
// a folder, installers read what says what is installed, and Rust may be behind a feature.
func (m measurer) unneeded() string {
	if len(m.Change.Files) == 0 {
		return "nothing changed"
	}
	b := m.sawBase()
	if b == nil || m.Change.All {
		return ""
	}
	for _, f := range m.Change.Files {
		_, opened := slices.BinarySearch(b.Opened, f.Path)
		if f.Status != qa.Modified || f.Submodule || opened || f.Language == "rust" || impact.Installs(f.Path) {
			return ""
		}
	}
	if unread := impact.Unread(m.Checkout, b.Opened); slices.ContainsFunc(m.Change.Files, func(f qa.FileChange) bool { return !unread(f) }) {
		return ""
	}
	return fmt.Sprintf("no test opened what changed when the whole suite ran on base %.7s", b.SHA)
}

// sawBase is what a whole run of the same tests on base opened, nil where there is none.
func (m measurer) sawBase() *history.Baseline {
	if b := m.Past.Knows(m.Change.Base); b != nil && b.Whole && b.Reading != "" && b.Reading == m.b.Reading {
		return b
	}
	return nil
}

// reading names what tells, beside the commit, which tests run and what they open: two
// jobs of a workflow may run other tests of one commit, or run them with other tools.
func reading(o Options) string {
	raw, err := json.Marshal([]any{o.Config.Suite, o.Config.Place, o.Version})
	if err != nil {
		return ""
	}
	return session.Digest(raw, []byte(toolchain.Programs(process.LookPath)))
}

// noCode reports whether no file changed that is code of the product or of its
// tests. It decides nothing but what the run costs: the suite runs all the same.
func (m measurer) noCode() bool {
	if slices.ContainsFunc(m.Config.FailOn, needsBase) {
		return false
	}
	return !slices.ContainsFunc(m.Change.Files, func(f qa.FileChange) bool { return f.Kind == qa.KindSource || f.Kind == qa.KindTest })
}

// plain reports whether one run on head tells: nothing changed that could be covered or
// that says how the tests are run.
func (m measurer) plain() bool { return m.noCode() && !m.Touches(m.b.Read...) }

// needsBase reports whether an optional gate compares with base or coverage.
func needsBase(gate string) bool {
	return slices.Contains([]string{qa.GatePatch, qa.GateCoverageDrop, qa.GateRemovedTests, qa.GateSkippedTests, qa.GateMutation}, gate)
}
