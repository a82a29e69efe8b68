package assurance

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
)

// Only what runs beside something else is worth a run that watches, and only of a test
// that was written to show something.
func TestWhatIsWatchedForRaces(t *testing.T) {
	t.Parallel()
	const alone, beside = "package a\n\nfunc Get() int { return 1 }\n", "package a\n\nimport \"sync\"\n\nvar mu sync.Mutex\n"
	for name, c := range map[string]struct {
		framework, lane, finding, code, source string
		want                                   bool
	}{
		"the test starts it":      {"gotest", generator.Catching, "F-1", "go func() { Get() }()", alone, true},
		"a group starts it":       {"gotest", generator.Catching, "F-1", "g.Go(get)", alone, true},
		"the code has a lock":     {"gotest", generator.Catching, "F-1", "Get()", beside, true},
		"nothing runs beside":     {"gotest", generator.Catching, "F-1", "Get() // let it go", alone, false},
		"nothing is to be shown":  {"gotest", generator.Catching, "", "go Get()", beside, false},
		"it is to state":          {"gotest", generator.Hardening, "F-1", "go Get()", beside, false},
		"nobody can watch":        {"pytest", generator.Catching, "F-1", "go Get()", beside, false},
		"a framework not our own": {"other", generator.Catching, "F-1", "go Get()", beside, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chain := &Chain{Trees: Trees{Read: func(string) ([]byte, error) { return []byte(c.source), nil }}, Target: executor.Target{Framework: adapter.Detection{Framework: c.framework}}}
			one := trial{Chain: chain, v: &Verdict{Candidate: generator.Candidate{Test: generator.Test{Lane: c.lane, Finding: c.finding, Code: c.code}}}}
			assert.Equal(t, one.suspects(), c.want)
		})
	}
	const report = "==================\nWARNING: DATA RACE\nRead at 0x00c000012345 by goroutine 10:\n  example.com/hits.(*Hits).Get()\n      /copy/hits.go:20 +0x2e\n" +
		"  example.com/hits.TestGet.func2()\n      /copy/hits_test.go:17 +0x3b\n\nPrevious write at 0x00c000012345 by goroutine 9:\n  example.com/hits.(*Hits).Add()\n      /copy/hits.go:14 +0x44\n"
	assert.Equal(t, meeting("x\n"+report), "WARNING: DATA RACE: read in hits.(*Hits).Get (hits.go:20), and a write in hits.(*Hits).Add (hits.go:14) that nothing orders")
	assert.Equal(t, meeting("WARNING: DATA RACE\nand no more"), "")
	assert.Assert(t, detected.MatchString("    testing.go:1712: race detected during execution of test\n"))
	assert.Assert(t, !detected.MatchString("want: no race detected during execution of test runs"))
}
