package assurance_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// frameworks of the bank.
var frameworks = []string{"gotest", "jest", "mocha", "pytest", "vitest"}

// Of the whole bank: what may be wrong.
const (
	maxBadAccepted  = 0.02
	maxGoodRejected = 0.10
	minCases        = 120
)

// table counts decisions.
type table struct {
	goodKept, goodDropped, badKept, badDropped int
	wrong                                      []string
}

func (c table) String() string {
	return fmt.Sprintf("good: %d accepted, %d rejected; bad: %d accepted, %d rejected", c.goodKept, c.goodDropped, c.badKept, c.badDropped)
}

// TestBank grades the chain as a classifier: every candidate of the bank goes
// through all gates with the real frameworks. With QA_BANK=1 it is the whole
// bank, else the cases marked as quick.
func TestBank(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 to run the frameworks themselves, QA_BANK=1 for the whole bank")
	}
	whole := os.Getenv("QA_BANK") != ""
	results := make([]table, len(frameworks))
	t.Run("framework", func(t *testing.T) {
		for i, name := range frameworks {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				results[i] = grade(t, name, whole)
			})
		}
	})
	var sum table
	for i, r := range results {
		t.Logf("%-7s %s", frameworks[i], r)
		sum.goodKept, sum.goodDropped = sum.goodKept+r.goodKept, sum.goodDropped+r.goodDropped
		sum.badKept, sum.badDropped = sum.badKept+r.badKept, sum.badDropped+r.badDropped
		sum.wrong = append(sum.wrong, r.wrong...)
	}
	t.Logf("all     %s", sum)
	for _, w := range sum.wrong {
		t.Logf("wrong: %s", w)
	}
	good, bad := sum.goodKept+sum.goodDropped, sum.badKept+sum.badDropped
	assert.Assert(t, good > 0 && bad > 0)
	if whole {
		assert.Assert(t, good+bad >= minCases, "the bank has %d cases", good+bad)
	}
	assert.Check(t, float64(sum.badKept) <= maxBadAccepted*float64(bad), "%d of %d bad accepted", sum.badKept, bad)
	assert.Check(t, float64(sum.goodDropped) <= maxGoodRejected*float64(good), "%d of %d good rejected", sum.goodDropped, good)
}

func grade(t *testing.T, name string, whole bool) (out table) {
	t.Helper()
	cases := readBank(t, name)
	a := open(t, name)
	for _, key := range slices.Sorted(maps.Keys(cases)) {
		l := cases[key]
		if only := os.Getenv("QA_CASE"); only != "" && !strings.Contains(name+"/"+key, only) || !whole && !l.quick {
			continue
		}
		began := time.Now()
		v := a.try(t, cases, l)
		accepted := v.Kept || v.Proof != nil
		line := fmt.Sprintf("%s/%s (%s): kept %v, class %s, gate %s: %s", name, key, l.kind, v.Kept, v.Class, v.Gate, v.Reason)
		t.Logf("%.1f s %s", time.Since(began).Seconds(), line)
		switch {
		case l.good && accepted && (v.Proof != nil) == l.proof:
			out.goodKept++
		case l.good:
			out.goodDropped++
			out.wrong = append(out.wrong, line)
		case accepted:
			out.badKept++
			out.wrong = append(out.wrong, line)
		default:
			out.badDropped++
			// For the wrong reason it would say nothing about the gate it is for.
			assert.Check(t, slices.Contains(l.gates, v.Gate), "%s: expected to fail %v", line, l.gates)
		}
	}
	return out
}
