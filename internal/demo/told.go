package demo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// broken and flaky are the tests that the change breaks and brings.
const (
	broken = "TestDiscounted/at_the_limit"
	flaky  = "TestRatesAreCached"
)

// Check holds a report against what the change is known to do. Nothing is said of
// what depends on programs that a machine may lack.
func Check(r *qa.Report) error {
	var wrong []error
	expect := func(what string, ok bool, got any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf("%s: %v", what, got))
		}
	}
	expect("the result should be FAIL", r.Result == qa.Fail, string(r.Result)+" "+r.Reason)
	triage := map[string]qa.Triage{}
	for _, f := range r.Tests.Failing {
		triage[f.Case.Name] = f.Triage
	}
	expect(broken+" should be a new failure", triage[broken] == qa.NewFailure, triage)
	expect(flaky+" should be flaky", triage[flaky] == qa.FlakyFailure, triage)
	expect("two tests should fail", len(r.Tests.Failing) == 2, len(r.Tests.Failing))
	expect("six tests should run", r.Tests.Head.Tests == 6, r.Tests.Head.Tests)
	patch := r.Coverage.Patch
	expect("lines should be left uncovered", patch != nil && patch.Lines.Covered > 0 && patch.Lines.Covered < patch.Lines.Total, patch)
	return errors.Join(wrong...)
}

// Tell says what the run found, where its files are and what to do next; session
// is the session's folder, comment the text of the comment, which is kept in a file
// where the folder stays.
func (p *Project) Tell(w io.Writer, session string, comment []byte) error {
	var b strings.Builder
	b.WriteString("\nThat was the demo, and FAIL is what its change deserves:\n")
	b.WriteString("  a limit that moved by one cent broke a test, which passes on base\n")
	b.WriteString("  a new test is flaky: it fails in a fresh checkout and passes when it is repeated\n")
	b.WriteString("  some of the new lines are never run, and on one of them an error is thrown away\n")
	if p.Kept() {
		name, err := p.keep("comment.md", comment)
		if err != nil {
			return fmt.Errorf("keep the comment: %w", err)
		}
		fmt.Fprintf(&b, "\nproject       %s\nHTML report   %s/report.html\ncomment       %s\nJSON          %s/report.json\n", p.Dir, session, name, session)
	} else {
		b.WriteString("\nIts folder was temporary and is gone. To look at the HTML report, the comment and the JSON: qa demo --keep\n")
	}
	b.WriteString("\nNext: commit a change in a repository of your own, and there: qa run\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// keep writes a file into the folder, where code of the project ran meanwhile.
func (p *Project) keep(name string, data []byte) (string, error) {
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	return filepath.Join(p.Dir, name), rooted.Replace(root, name, data)
}
