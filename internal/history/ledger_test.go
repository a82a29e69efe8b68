package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func found(id string, status qa.FindingStatus) qa.Finding {
	return qa.Finding{Fingerprint: id, Path: id + ".go", Message: "bad", Severity: qa.High, Engines: []string{"govet"}, Status: status}
}

func yes(Entry) bool            { return true }
func no(Entry) bool             { return false }
func looked(engine string) bool { return engine == "govet" }
func nobody(string) bool        { return false }

// show is a ledger and what changed in a few lines.
func show(l Ledger, findings []qa.Finding, d *qa.Delta) string {
	var b strings.Builder
	for _, e := range l.Entries {
		fmt.Fprintf(&b, "%s %s first %s seen %s\n", e.Fingerprint, e.Status, e.First, e.Seen)
	}
	for _, f := range findings {
		fmt.Fprintf(&b, "finding %s %s\n", f.Fingerprint, f.Status)
	}
	if d != nil {
		fmt.Fprintf(&b, "since %s: fixed %v new %v open %d reopened %v dismissed %v passing %v failing %v\n", d.Since, d.Fixed, d.New, d.StillOpen, d.Reopened, d.Dismissed, d.NowPassing, d.NowFailing)
	}
	return b.String()
}

func TestALedgerOverPushes(t *testing.T) {
	t.Parallel()
	var l Ledger
	for _, step := range []struct {
		name string
		push Push
		want string
	}{
		{"first push", Push{Head: "c1", Findings: []qa.Finding{found("a", qa.StatusNew), found("b", qa.StatusNew), found("old", qa.StatusKnown), found("d", qa.StatusDismissed)}, Failing: []string{"t2", "t1", "t1"}},
			`a new first c1 seen c1
b new first c1 seen c1
old known first c1 seen c1
d dismissed first c1 seen c1
finding a new
finding b new
finding old known
finding d dismissed
`},
		{"an engine is silent about unchanged code", Push{Head: "c2", Findings: []qa.Finding{found("a", qa.StatusNew), found("c", qa.StatusNew)}, Failing: []string{"t1", "t3"}, Changed: no, Ran: looked},
			`a persisting first c1 seen c2
c new first c2 seen c2
b new first c1 seen c1
old known first c1 seen c1
d dismissed first c1 seen c1
finding a new
finding c new
since c1: fixed [] new [c.go: bad] open 2 reopened [] dismissed [] passing [t2] failing [t3]
`},
		{"the code changed but no engine looked", Push{Head: "c3", Findings: []qa.Finding{found("a", qa.StatusNew), found("c", qa.StatusNew)}, Changed: yes, Ran: nobody},
			`a persisting first c1 seen c3
c persisting first c2 seen c3
b new first c1 seen c1
old known first c1 seen c1
d dismissed first c1 seen c1
finding a new
finding c new
since c2: fixed [] new [] open 3 reopened [] dismissed [] passing [t1 t3] failing []
`},
		{"fixed", Push{Head: "c4", Findings: []qa.Finding{found("a", qa.StatusNew)}, Changed: func(e Entry) bool { return e.Fingerprint == "b" || e.Fingerprint == "c" }, Ran: looked},
			`a persisting first c1 seen c4
c fixed first c2 seen c3
b fixed first c1 seen c1
old known first c1 seen c1
d dismissed first c1 seen c1
finding a new
since c3: fixed [c.go: bad b.go: bad] new [] open 1 reopened [] dismissed [] passing [] failing []
`},
		{"reopened", Push{Head: "c5", Findings: []qa.Finding{found("b", qa.StatusNew)}, Changed: yes, Ran: looked},
			`b reopened first c1 seen c5
a fixed first c1 seen c4
c fixed first c2 seen c3
old fixed first c1 seen c1
d fixed first c1 seen c1
finding b reopened
since c4: fixed [a.go: bad old.go: bad] new [] open 0 reopened [b.go: bad] dismissed [] passing [] failing []
`},
		{"still reopened, still counted", Push{Head: "c6", Findings: []qa.Finding{found("b", qa.StatusNew), found("b", qa.StatusNew)}, Changed: yes, Ran: looked},
			`b reopened first c1 seen c6
a fixed first c1 seen c4
c fixed first c2 seen c3
old fixed first c1 seen c1
d fixed first c1 seen c1
finding b reopened
finding b new
since c5: fixed [] new [] open 1 reopened [] dismissed [] passing [] failing []
`},
		{"dismissed", Push{Head: "c7", Findings: []qa.Finding{found("b", qa.StatusDismissed)}, Changed: no, Ran: looked},
			`b dismissed first c1 seen c7
a fixed first c1 seen c4
c fixed first c2 seen c3
old fixed first c1 seen c1
d fixed first c1 seen c1
finding b dismissed
since c6: fixed [] new [] open 0 reopened [] dismissed [b.go: bad] passing [] failing []
`},
		{"dismissed only once", Push{Head: "c8", Findings: []qa.Finding{found("b", qa.StatusDismissed)}, Changed: no, Ran: looked},
			`b dismissed first c1 seen c8
a fixed first c1 seen c4
c fixed first c2 seen c3
old fixed first c1 seen c1
d fixed first c1 seen c1
finding b dismissed
since c7: fixed [] new [] open 0 reopened [] dismissed [] passing [] failing []
`},
	} {
		step.push.Date = noon
		next, findings, delta := l.Advance(step.push)
		if diff := cmp.Diff(step.want, show(next, findings, delta)); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
		l = next
	}
}

func TestLedgersAreBoundedByWhatMatters(t *testing.T) {
	t.Parallel()
	var l Ledger
	for i := range maxEntries + 2 {
		e := Entry{Fingerprint: fmt.Sprint(i), Severity: qa.Low, Status: qa.StatusNew}
		switch i {
		case 3:
			e.Status, e.Since = qa.StatusFixed, "2026"
		case 4:
			e.Status, e.Since = qa.StatusFixed, "2025"
		case maxEntries:
			e.Severity = qa.Critical
		}
		l.Entries = append(l.Entries, e)
	}
	got := l.bounded().Entries
	has := map[string]bool{}
	for _, e := range got {
		has[e.Fingerprint] = true
	}
	if len(got) != maxEntries || has["3"] || has["4"] || !has["2001"] || got[0].Severity != qa.Critical {
		t.Errorf("%d entries, first %+v", len(got), got[0])
	}
}

// A suite that did not run fixes no test.
func TestASuiteThatDidNotRunFixesNothing(t *testing.T) {
	t.Parallel()
	l, _, _ := Ledger{}.Advance(Push{Head: "c1", Failing: []string{"t1"}})
	l, _, d := l.Advance(Push{Head: "c2", Untested: true})
	if len(d.NowPassing) > 0 {
		t.Errorf("%v pass again, and nothing ran", d.NowPassing)
	}
	if _, _, d = l.Advance(Push{Head: "c3"}); len(d.NowPassing) != 1 {
		t.Errorf("%v pass again, want t1", d.NowPassing)
	}
}
