package trials

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/assurance"
)

const pool = `package a

type Pool struct{ n int }

func (p *Pool) Create() { p.add() }

func (p *Pool) Reset() { p.n = 0 }

func (p *Pool) add() { p.n++ }

func (p *Pool) Warm() { p.Create() }

func Other() int { return 1 }
`

// TestAProofShowsWhatItsFindingClaims: a test that bears a finding's id proves it where
// something ties both; what it shows is told in any case.
func TestAProofShowsWhatItsFindingClaims(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.go"), []byte(pool), 0o600))
	const tests = "package a\n\nfunc full() *Pool { p := &Pool{}; p.Reset(); return p }\n\nfunc TestReset(t *testing.T) { new(Pool).Reset() }\n"
	assert.NilError(t, os.WriteFile(filepath.Join(root, "full_test.go"), []byte(tests), 0o600))
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a_test.go"), []byte("package a\n\nfunc TestReset(t *testing.T) { new(Pool).Reset() }\n"), 0o600))
	const race = "The count is written without the lock. Shown by: Reset runs between Create and the return of its constructor; the count is 1 where 0 is right"
	for name, tc := range map[string]struct {
		symbol, says string
		target, code string
		tie          string
		want         string
	}{
		"it runs the function":                        {"Pool.Create", "", "Pool.Create", "p.Create()", "", "F1"},
		"it never does what the claim tells":          {"Pool.Create", race, "Pool.Create", "p.Create()", "", "PROOF Reset"},
		"nor where the lines are the same":            {"Pool.Create", race, "Pool.Create", "p.Create()", assurance.Shown, "PROOF Reset"},
		"it does what the claim tells":                {"Pool.Create", race, "Pool.Create", "go p.Reset(); p.Create()", "", "F1"},
		"through what sets it up":                     {"Pool.Create", race, "Pool.Create", "full().Create()", "", "F1"},
		"through what is called":                      {"Pool.add", "", "Pool.Warm", "p.Warm()", "", "F1"},
		"a caller that the claim tells of":            {"Pool.add", "It adds two. Shown by: Warm() of an empty pool", "Pool.add", "p.add()", "", "F1"},
		"what is called, which the claim tells of":    {"Pool.Warm", "It adds two. Shown by: p.add() is called twice", "Pool.Warm", "p.Warm()", "", "F1"},
		"why it is wrong":                             {"Pool.Create", "Too many. Shown by: Create() gives 2; 1 is expected, as Reset() is to forget all", "Pool.Create", "p.Create()", "", "F1"},
		"what comes of it, behind a colon":            {"Pool.Create", "Too many. Shown by: Create() is called twice (`once: now`): the second one runs Reset() on the first", "Pool.Create", "p.Create()", "", "F1"},
		"another way that the claim tells of":         {"Pool.Create", "Too many. Shown by: Reset() before Create(); likewise Warm() after it", "Pool.Create", "p.Create(); p.Warm()", "", "F1"},
		"a colon of code":                             {"Pool.Create", "Too many. Shown by: Create({n: 1}) while Reset() runs", "Pool.Create", "p.Create()", "", "PROOF Reset"},
		"a word that is a name":                       {"Pool.Create", "Too many. Shown by: Reset the pool. Other than that nothing", "Pool.Create", "p.Create()", "", "F1"},
		"another function":                            {"Other", "", "Pool.Create", "p.Create()", "", "PROOF Other"},
		"another function, and a run shows the lines": {"Other", "", "Pool.Create", "p.Create()", assurance.Shown, "F1"},
		"other lines of the function":                 {"Pool.Create", "", "Pool.Create", "p.Create()", assurance.Apart, "PROOF lines"},
		"outside of functions":                        {"", "", "Pool.Create", "p.Create()", "", "F1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claim := qa.Finding{
				ID: "F1", Rule: qa.Rule{ID: "model/race"}, Path: "a.go", Symbol: tc.symbol, Message: tc.says, Perspectives: []qa.Perspective{qa.Bug},
				Status: qa.StatusNew, Evidence: qa.Suspected, Severity: qa.Medium,
			}
			p := Proof{
				Proof:   qa.Proof{Test: "TestA", Path: "a_test.go", Code: "func TestA(t *testing.T) { p := &Pool{}; " + tc.code + " }", Base: qa.Passed, Head: qa.Failed, Regression: true},
				Finding: "F1", Source: "a.go", Target: tc.target, Tie: tc.tie, Relied: "README.md: pools forget nothing",
			}
			s := Proofs{All: []Proof{p, p}, Code: related.New(checkout.Checkout{Root: root})}
			got := s.Show([]qa.Finding{claim})
			proven := got[len(got)-1]
			assert.Equal(t, proven.Evidence, qa.Proven, "what a test shows is told")
			named, instead := s.Named(got, p)
			assert.Equal(t, named == "F1" && instead == "", tc.want == "F1")
			if tc.want == "F1" {
				assert.Equal(t, len(got), 1)
				return
			}
			assert.Equal(t, len(got), 2)
			assert.Equal(t, got[0].Evidence, qa.Suspected, "what it does not show is not proven")
			assert.Equal(t, got[0].Severity, qa.Medium)
			assert.Equal(t, proven.Rule.ID, regressionRule)
			assert.Equal(t, proven.Severity, qa.Medium, "its author held it to be as bad as what it names")
			_, word, _ := strings.Cut(tc.want, " ")
			assert.Assert(t, strings.Contains(proven.Message, "does not show") && strings.Contains(proven.Message, word), proven.Message)
		})
	}
}

// TestADefectOfEqualEditsIsOneFinding: where the change did the same to two functions, a
// test of either proves what is claimed of one; of another edit it is a difference of its
// own.
func TestADefectOfEqualEditsIsOneFinding(t *testing.T) {
	t.Parallel()
	const check = "    if data[0] < 33:\n        raise ValueError(data)\n"
	before := "def request(data):\n" + check + "    return one(data)\n\n\ndef response(data):\n" + check + "    return two(data)\n\n\ndef trailer(data):\n    if not data:\n        raise KeyError(data)\n    return three(data)\n"
	after := "def request(data):\n    return one(data)\n\n\ndef response(data):\n    return two(data)\n\n\ndef trailer(data):\n    return three(data)\n"
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "readers.py"), []byte(after), 0o600))
	here := checkout.Checkout{Root: root, Change: qa.Change{Base: "base", Files: []qa.FileChange{{Path: "readers.py", Kind: qa.KindSource, Status: qa.Modified}}}}
	here.Content = func(context.Context, string, string) ([]byte, error) { return []byte(before), nil }
	claim := qa.Finding{
		ID: "F1", Rule: qa.Rule{ID: "model/lost-check"}, Path: "readers.py", Symbol: "request", Perspectives: []qa.Perspective{qa.Bug},
		Message: "Data that is no text is waited for.", Status: qa.StatusNew, Evidence: qa.Suspected, Severity: qa.High,
	}
	proof := func(of, tie string) Proof {
		return Proof{
			Proof:   qa.Proof{Test: "test_" + of, Path: "test_readers.py", Code: "def test_" + of + "():\n    assert raised(readers." + of + ", b'\\0')", Base: qa.Passed, Head: qa.Failed, Regression: true},
			Finding: "F1", Source: "readers.py", Target: of, Tie: tie,
		}
	}
	other := proof("request", assurance.Apart)
	other.Test = "test_other_lines"
	for name, tc := range map[string]struct {
		second Proof
		want   int
	}{
		"other lines of the function itself":      {other, 2},
		"the same edit":                           {proof("response", ""), 1},
		"and the finding's lines alone are apart": {proof("response", assurance.Apart), 1},
		"another edit":                            {proof("trailer", ""), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Proofs{All: []Proof{proof("request", ""), tc.second}, Code: related.New(here)}.Show([]qa.Finding{claim})
			assert.Equal(t, len(got), tc.want)
			assert.Equal(t, len(got[0].Also), 2-tc.want)
		})
	}
}
