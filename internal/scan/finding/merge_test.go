package finding

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// What a model says of an engine's finding changes its rating in no direction.
func TestAModelDoesNotRateForAnEngine(t *testing.T) {
	t.Parallel()
	says := func(engine string, s qa.Severity) entry {
		return entry{f: qa.Finding{Path: "a.go", Lines: qa.Range{Start: 5, End: 5}, Engines: []string{engine}, Severity: s, Message: engine}, group: "g"}
	}
	for name, c := range map[string]struct {
		all  []entry
		want qa.Severity
	}{
		"raises":          {[]entry{says("govet", qa.Medium), says("model", qa.Critical)}, qa.Medium},
		"lowers":          {[]entry{says("govet", qa.High), says("model", qa.Low)}, qa.High},
		"speaks first":    {[]entry{says("model", qa.Critical), says("staticcheck", qa.Low)}, qa.Low},
		"between engines": {[]entry{says("govet", qa.Low), says("model", qa.Critical), says("staticcheck", qa.Medium)}, qa.Medium},
		"alone":           {[]entry{says("model", qa.High)}, qa.High},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := merge(c.all); len(got) != 1 || got[0].f.Severity != c.want {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}

// TestFingerprintStaysWhenLinesShift moves a finding around and edits what is
// around it.
func TestFingerprintStaysWhenLinesShift(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		above := rapid.SliceOf(rapid.SampledFrom([]string{"", "// note", "var z = 1"})).Draw(rt, "above")
		indent := rapid.SampledFrom([]string{"", "\t", "    "}).Draw(rt, "indent")
		text := strings.Join(append(append([]string{"package app"}, above...), indent+"eval( x )", ""), "\n")
		f := engine.NewFile(qa.FileChange{Path: "app.go"}, []byte(text), nil)
		e := entry{file: f, group: "js/no-eval", f: qa.Finding{Path: "app.go", Lines: qa.Range{Start: len(above) + 2, End: len(above) + 2}}}
		e.quote(mask{})
		list := []entry{e}
		fingerprint(list)
		if want := digest("js/no-eval\x00app.go\x00eval( x )\x001"); list[0].f.Fingerprint != want {
			rt.Fatalf("fingerprint moved with %q", text)
		}
	})
}
