package assurance

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
)

// What a run that watches for races may take more: all that is linked is compiled anew,
// and each access to memory is noted.
const (
	building = 3 * time.Minute
	watching = 10
)

// Words of Go: what starts something that runs beside, and what is said of a test in which
// two accesses to memory met; two to a map may end the program before.
var (
	besides = pattern.New(`\bgo\s+(?:func\b|[\w.]+\()|\.Go\(|\.Parallel\(|\bsync\.`)

	detected = pattern.New(`(?m)race detected during execution of (?:sub)?test\s*$|^fatal error: concurrent map [\w ]+$|^WARNING: DATA RACE`)
)

// raced looks once more at a test that was written to show something and passes on both
// sides: a race shows where it is watched for.
func (t *trial) raced(ctx context.Context) error {
	if t.v.Class != guard {
		return nil
	}
	_, err := t.watch(ctx)
	return err
}

// watch runs a test where races are watched for. What that says of head counts where it
// says nothing of base; from then on every run of the candidate is watched. A detector that
// cannot be had says nothing.
func (t *trial) watch(ctx context.Context) (met bool, err error) {
	if t.Options.Races || !t.suspects() {
		return false, nil
	}
	t.Options.Races = true
	defer func() { t.Options.Races = met }()
	head, err := t.again(ctx, nil)
	if err != nil || head.status != qa.Failed || !detected.MatchString(head.why+"\n"+head.output) {
		return false, err
	}
	watched := trial{t.Chain, t.v, t.name, head}
	for range 1 + t.Repeat { // a race of the test's own is not always met
		base, err := watched.compared(ctx)
		if err != nil || base.status != qa.Passed {
			return false, err
		}
	}
	t.head, t.v.Head, t.v.Base, t.v.first, t.v.Class = head, head.status, qa.Passed, head, regression
	return true, nil
}

// access is one of two that met, as the race detector tells it: what it is, in which
// function and where.
var access = pattern.New(`(?m)^(?:Previous )?((?:atomic )?[Rr]ead|(?:atomic )?[Ww]rite) at 0x[0-9a-f]+ by [^\n]*:\n  (\S+?)\(\)\n\s+\S*?([^/\s]+:\d+)`)

// meeting is in short which two accesses to memory met, without addresses, so that two
// runs say the same; empty where none did.
func meeting(output string) string {
	_, report, found := strings.Cut(output, "WARNING: DATA RACE\n")
	two := access.FindAllStringSubmatch(report, 2)
	if !found || len(two) < 2 {
		return ""
	}
	at := each.Of(two, func(m []string) string {
		return strings.ToLower(m[1]) + " in " + path.Base(m[2]) + " (" + m[3] + ")"
	})
	return "WARNING: DATA RACE: " + at[0] + ", and a " + at[1] + " that nothing orders"
}

// suspects reports whether a race may be what the test is to show.
func (t *trial) suspects() bool {
	c := t.v.Candidate
	how, err := framework.For(t.Target.Framework.Framework)
	if err != nil || !how.Habits.Races || c.Lane != generator.Catching || c.Finding == "" && c.Difference == "" {
		return false
	}
	source, err := t.Read(c.Source)
	return besides.MatchString(c.Code) || err == nil && besides.Match(source)
}
