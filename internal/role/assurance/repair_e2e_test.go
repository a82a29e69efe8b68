package assurance_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/generator"
)

// TestRepairNeedsBase: an expected value may follow what base and head agree
// on, never what only the change does.
func TestRepairNeedsBase(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 to run the frameworks themselves")
	}
	t.Parallel()
	a := open(t, "gotest")
	for name, tc := range map[string]struct {
		target, code, old, text string
		kept                    bool
		gate                    string
	}{
		"right":             {"Total", "func TestTotalRepaired(t *testing.T) {\n\tif got := Total([]Span{{5, 10}, {10, 20}}); got != 16 {\n\t\tt.Errorf(\"Total = %d\", got)\n\t}\n}\n", "16", "15", true, ""},
		"bent to the bug":   {"Shift", "func TestShiftRepaired(t *testing.T) {\n\tif got := Shift(Span{10, 20}, 5); got != (Span{15, 26}) {\n\t\tt.Errorf(\"Shift = %v\", got)\n\t}\n}\n", "26", "20", false, "G10"},
		"bent to new code":  {"Clamp", "func TestClampRepaired(t *testing.T) {\n\tif got, _ := Clamp(Span{0, 90}, Span{0, 60}); got.End != 70 {\n\t\tt.Errorf(\"Clamp = %v\", got)\n\t}\n}\n", "70", "60", false, "G10"},
		"loosened until ok": {"Total", "func TestTotalLoosened(t *testing.T) {\n\tif got := Total([]Span{{0, 10}}); got != 11 {\n\t\tt.Errorf(\"Total = %d\", got)\n\t}\n}\n", "got != 11", "got < 0", false, "G8"},
	} {
		t.Run(name, func(t *testing.T) {
			c := a.chain(strings.ReplaceAll(name, " ", "-"))
			c.MaxRepairs = 2
			asked := 0
			c.Repair = func(_ context.Context, v assurance.Verdict) (assurance.Fix, error) {
				asked++
				again := v.Candidate
				again.Code = strings.Replace(again.Code, tc.old, tc.text, 1)
				return assurance.Fix{Candidate: again}, nil
			}
			cand := generator.Candidate{Test: generator.Test{Code: tc.code, Lane: generator.Hardening}, Path: "interval/plan_test.go", Source: "interval/plan.go", Target: tc.target}
			verdicts, _, err := c.Run(t.Context(), []generator.Candidate{cand})
			assert.NilError(t, err)
			v := verdicts[0]
			assert.Equal(t, v.Kept, tc.kept, "%s: %s", v.Gate, v.Reason)
			assert.Equal(t, v.Gate, tc.gate, v.Reason)
			assert.Equal(t, asked, 1)
		})
	}
}

// TestARefusedRepairIsFollowedByTheNext: a repair that the chain does not try, for what
// it changes or because it was tried, costs one of the repairs and no more; the next one
// is told why.
func TestARefusedRepairIsFollowedByTheNext(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 to run the frameworks themselves")
	}
	t.Parallel()
	a := open(t, "gotest")
	code := "func TestTotalNext(t *testing.T) {\n\tif got := Total([]Span{{5, 10}, {10, 20}}); got != 16 {\n\t\tt.Errorf(\"Total = %d\", got)\n\t}\n}\n"
	right, wrong := strings.Replace(code, "16", "15", 1), strings.Replace(code, "Total(", "Totals(", 1)
	for name, tc := range map[string]struct {
		answers []string
		kept    bool
		told    string
	}{
		"after one that skips":         {[]string{strings.Replace(code, "\tif", "\tt.Skip(\"later\")\n\tif", 1), right}, true, "the repair was refused"},
		"after one that is the same":   {[]string{code, right}, true, "the repair changed nothing"},
		"after one that was tried":     {[]string{wrong, code, right}, true, "the repair is a version that was tried"},
		"as long as there are repairs": {[]string{code, code, code, right}, false, "the repair changed nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			c := a.chain(strings.ReplaceAll(name, " ", "-"))
			c.MaxRepairs = 3
			asked, last := 0, ""
			c.Repair = func(_ context.Context, v assurance.Verdict) (assurance.Fix, error) {
				last = v.Reason
				again := v.Candidate
				again.Code = tc.answers[asked]
				asked++
				return assurance.Fix{Candidate: again}, nil
			}
			verdicts, _, err := c.Run(t.Context(), []generator.Candidate{candidate(code, "Total")})
			assert.NilError(t, err)
			v := verdicts[0]
			assert.Equal(t, v.Kept, tc.kept, "%s: %s", v.Gate, v.Reason)
			assert.Equal(t, asked, min(len(tc.answers), c.MaxRepairs))
			assert.Equal(t, v.Repairs, asked)
			assert.Assert(t, strings.Contains(last, tc.told), last)
		})
	}
}
