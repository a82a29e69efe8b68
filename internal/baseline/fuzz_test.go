package baseline

import (
	"encoding/json"
	"testing"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// The measurements of a shard may be from anybody: none ends a merge, and what is
// added up of them is never negative.
func FuzzMeasured(f *testing.F) {
	var m Measurement
	m.Target = executor.Target{Name: "a"}
	m.Baseline.Tests.Head = qa.Tally{Tests: 2, Passed: 1, Failed: 1}
	m.Head = &Counters{Coverage: &qa.Coverage{}, Files: []fileCounters{{FileCoverage: qa.FileCoverage{Path: "a.go"}, Lines: []qa.LineHit{{Line: 1, Hits: 2}}}}}
	m.Base = m.Head
	raw, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw, raw)
	f.Add([]byte(`{"Target":{"Name":"a"},"Baseline":{"Base":{}}}`), raw)
	f.Add([]byte("null"), []byte("{}"))
	o := Options{Checkout: checkout.Checkout{Root: f.TempDir()}, Config: new(config.Config)}
	f.Fuzz(func(t *testing.T, one, other []byte) {
		var parts []Part
		for _, raw := range [][]byte{one, other} {
			if m, err := Decode(raw); err == nil {
				parts = append(parts, Part{Measured: []Measurement{m}})
			}
		}
		b := Join(o, parts)
		if len(parts) > 0 && len(b.Runs) == 0 {
			t.Errorf("%d parts and no run", len(parts))
		}
		_ = b.Tests()
		_ = b.Cases()
	})
}
